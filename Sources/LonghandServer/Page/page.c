// In C, whose compiler puts a file into a program as it is. Swift compiles each byte as a number, which takes 20 seconds.
#include "page.h"

// Part of C23; before, an extension of the compiler.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct page_file files[] = {
  {"alternatives.js", (const unsigned char[]){
#embed "alternatives.js" suffix(, 0)
  }},
  {"api.js", (const unsigned char[]){
#embed "api.js" suffix(, 0)
  }},
  {"app.js", (const unsigned char[]){
#embed "app.js" suffix(, 0)
  }},
  {"browser-recording.js", (const unsigned char[]){
#embed "browser-recording.js" suffix(, 0)
  }},
  {"connection.js", (const unsigned char[]){
#embed "connection.js" suffix(, 0)
  }},
  {"corrected-words.js", (const unsigned char[]){
#embed "corrected-words.js" suffix(, 0)
  }},
  {"coverage.js", (const unsigned char[]){
#embed "coverage.js" suffix(, 0)
  }},
  {"dialogs.js", (const unsigned char[]){
#embed "dialogs.js" suffix(, 0)
  }},
  {"drawer.js", (const unsigned char[]){
#embed "drawer.js" suffix(, 0)
  }},
  {"drop.js", (const unsigned char[]){
#embed "drop.js" suffix(, 0)
  }},
  {"element.js", (const unsigned char[]){
#embed "element.js" suffix(, 0)
  }},
  {"export-dialog.js", (const unsigned char[]){
#embed "export-dialog.js" suffix(, 0)
  }},
  {"filter.js", (const unsigned char[]){
#embed "filter.js" suffix(, 0)
  }},
  {"find.js", (const unsigned char[]){
#embed "find.js" suffix(, 0)
  }},
  {"follow.js", (const unsigned char[]){
#embed "follow.js" suffix(, 0)
  }},
  {"format.js", (const unsigned char[]){
#embed "format.js" suffix(, 0)
  }},
  {"icon.svg", (const unsigned char[]){
#embed "icon.svg" suffix(, 0)
  }},
  {"index.html", (const unsigned char[]){
#embed "index.html" suffix(, 0)
  }},
  {"kept-files.js", (const unsigned char[]){
#embed "kept-files.js" suffix(, 0)
  }},
  {"kept-text.js", (const unsigned char[]){
#embed "kept-text.js" suffix(, 0)
  }},
  {"keys.js", (const unsigned char[]){
#embed "keys.js" suffix(, 0)
  }},
  {"library.js", (const unsigned char[]){
#embed "library.js" suffix(, 0)
  }},
  {"menu.js", (const unsigned char[]){
#embed "menu.js" suffix(, 0)
  }},
  {"messages.js", (const unsigned char[]){
#embed "messages.js" suffix(, 0)
  }},
  {"microphone-worklet.js", (const unsigned char[]){
#embed "microphone-worklet.js" suffix(, 0)
  }},
  {"microphone.js", (const unsigned char[]){
#embed "microphone.js" suffix(, 0)
  }},
  {"openapi.json", (const unsigned char[]){
#embed "openapi.json" suffix(, 0)
  }},
  {"paragraphs.js", (const unsigned char[]){
#embed "paragraphs.js" suffix(, 0)
  }},
  {"piece-sender.js", (const unsigned char[]){
#embed "piece-sender.js" suffix(, 0)
  }},
  {"playback-tools.js", (const unsigned char[]){
#embed "playback-tools.js" suffix(, 0)
  }},
  {"playback.js", (const unsigned char[]){
#embed "playback.js" suffix(, 0)
  }},
  {"player.js", (const unsigned char[]){
#embed "player.js" suffix(, 0)
  }},
  {"recognition-dialog.js", (const unsigned char[]){
#embed "recognition-dialog.js" suffix(, 0)
  }},
  {"recognition-fields.js", (const unsigned char[]){
#embed "recognition-fields.js" suffix(, 0)
  }},
  {"record-dialog.js", (const unsigned char[]){
#embed "record-dialog.js" suffix(, 0)
  }},
  {"recorder.js", (const unsigned char[]){
#embed "recorder.js" suffix(, 0)
  }},
  {"replace-dialog.js", (const unsigned char[]){
#embed "replace-dialog.js" suffix(, 0)
  }},
  {"route.js", (const unsigned char[]){
#embed "route.js" suffix(, 0)
  }},
  {"row-heights.js", (const unsigned char[]){
#embed "row-heights.js" suffix(, 0)
  }},
  {"rows.js", (const unsigned char[]){
#embed "rows.js" suffix(, 0)
  }},
  {"search.js", (const unsigned char[]){
#embed "search.js" suffix(, 0)
  }},
  {"segment-actions.js", (const unsigned char[]){
#embed "segment-actions.js" suffix(, 0)
  }},
  {"segment-row.js", (const unsigned char[]){
#embed "segment-row.js" suffix(, 0)
  }},
  {"segments.js", (const unsigned char[]){
#embed "segments.js" suffix(, 0)
  }},
  {"session-audio.js", (const unsigned char[]){
#embed "session-audio.js" suffix(, 0)
  }},
  {"session-details.js", (const unsigned char[]){
#embed "session-details.js" suffix(, 0)
  }},
  {"session-events.js", (const unsigned char[]){
#embed "session-events.js" suffix(, 0)
  }},
  {"session-header.js", (const unsigned char[]){
#embed "session-header.js" suffix(, 0)
  }},
  {"session-navigation.js", (const unsigned char[]){
#embed "session-navigation.js" suffix(, 0)
  }},
  {"session-tail.js", (const unsigned char[]){
#embed "session-tail.js" suffix(, 0)
  }},
  {"session-view.js", (const unsigned char[]){
#embed "session-view.js" suffix(, 0)
  }},
  {"sign-in.html", (const unsigned char[]){
#embed "sign-in.html" suffix(, 0)
  }},
  {"sign-in.js", (const unsigned char[]){
#embed "sign-in.js" suffix(, 0)
  }},
  {"speaker-popup.js", (const unsigned char[]){
#embed "speaker-popup.js" suffix(, 0)
  }},
  {"speakers.js", (const unsigned char[]){
#embed "speakers.js" suffix(, 0)
  }},
  {"stay-signed-in.js", (const unsigned char[]){
#embed "stay-signed-in.js" suffix(, 0)
  }},
  {"stream.js", (const unsigned char[]){
#embed "stream.js" suffix(, 0)
  }},
  {"style.css", (const unsigned char[]){
#embed "style.css" suffix(, 0)
  }},
  {"terms.js", (const unsigned char[]){
#embed "terms.js" suffix(, 0)
  }},
  {"text-editor.js", (const unsigned char[]){
#embed "text-editor.js" suffix(, 0)
  }},
  {"timeline.js", (const unsigned char[]){
#embed "timeline.js" suffix(, 0)
  }},
  {"transcript-copy.js", (const unsigned char[]){
#embed "transcript-copy.js" suffix(, 0)
  }},
  {"translation.js", (const unsigned char[]){
#embed "translation.js" suffix(, 0)
  }},
  {"turns.js", (const unsigned char[]){
#embed "turns.js" suffix(, 0)
  }},
  {"unsure-words.js", (const unsigned char[]){
#embed "unsure-words.js" suffix(, 0)
  }},
  {"uploads.js", (const unsigned char[]){
#embed "uploads.js" suffix(, 0)
  }},
  {"vocabulary-dialog.js", (const unsigned char[]){
#embed "vocabulary-dialog.js" suffix(, 0)
  }},
  {"vocabulary-table.js", (const unsigned char[]){
#embed "vocabulary-table.js" suffix(, 0)
  }},
  {"vocabulary-trial.js", (const unsigned char[]){
#embed "vocabulary-trial.js" suffix(, 0)
  }},
  {"vocabulary.js", (const unsigned char[]){
#embed "vocabulary.js" suffix(, 0)
  }},
  {"watch-dialog.js", (const unsigned char[]){
#embed "watch-dialog.js" suffix(, 0)
  }},
  {"word-alternatives.js", (const unsigned char[]){
#embed "word-alternatives.js" suffix(, 0)
  }},
  {"word-popup.js", (const unsigned char[]){
#embed "word-popup.js" suffix(, 0)
  }},
};

const int page_file_count = sizeof files / sizeof *files;

struct page_file page_file(int index) { return files[index]; }
