import ScriptedSpeech

typealias SeededGenerator = ScriptedSpeech.SeededGenerator
