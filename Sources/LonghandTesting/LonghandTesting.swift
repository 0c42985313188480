// In a module of its own because the scripted service needs it and nothing else of this one.
@_exported import ScriptedSpeech
