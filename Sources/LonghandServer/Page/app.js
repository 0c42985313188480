import { request, sessionPath } from "./api.js";
import { Connection } from "./connection.js";
import { CorrectedWords } from "./corrected-words.js";
import { confirmsDeletion } from "./dialogs.js";
import { Drawer } from "./drawer.js";
import { acceptFiles, withAudio } from "./drop.js";
import { byId } from "./element.js";
import { ExportDialog } from "./export-dialog.js";
import { Filter } from "./filter.js";
import { Find } from "./find.js";
import { canStop, nameOf } from "./format.js";
import { handleKeys } from "./keys.js";
import { Library } from "./library.js";
import { Menu } from "./menu.js";
import { Announcer, Notices } from "./messages.js";
import { RecognitionDialog } from "./recognition-dialog.js";
import { Recorder } from "./recorder.js";
import { ReplaceDialog } from "./replace-dialog.js";
import { currentRoute, fragment } from "./route.js";
import { Search } from "./search.js";
import { withoutMarks } from "./segment-row.js";
import { SessionView } from "./session-view.js";
import { staySignedIn } from "./stay-signed-in.js";
import { Stream } from "./stream.js";
import { copyTranscript, printTranscript } from "./transcript-copy.js";
import { Uploads } from "./uploads.js";
import { VocabularyDialog } from "./vocabulary-dialog.js";
import { WatchDialog } from "./watch-dialog.js";

const notices = new Notices(byId("notices"));
const failed = (error) => notices.error(error);
const trouble = byId("trouble");
const announcer = new Announcer(byId("announcements"));
const connection = new Connection(byId("connection"), announcer);
const recorder = new Recorder({
  announcer,
  failed,
  left: (file, choice) => uploads.addOwn(file, choice),
  changed: () => {
    library.show();
    view.showState();
  },
});
const filter = new Filter(byId("filters"), byId("when"), byId("tag-filter"), () => {
  library.refresh().catch(failed);
  search.search();
});
const uploads = new Uploads({
  failed,
  changed: () => {
    library.showUploads();
    showWelcome();
  },
  done: uploaded,
});
const library = new Library(byId("sessions"), byId("more-sessions"), {
  failed, stateOf: (session) => recorder.stateOf(session), filter, uploads, uploadList: byId("uploads"),
});
const view = new SessionView({
  announcer, notices, recorder, connection, changed: () => refresh().catch(failed),
  openSearch: () => drawer.set(true),
  corrected: (id) => library.update([id]).catch(failed),
  reviewed: () => correctedWords.offer().catch(failed),
  transcribe: (session, locale) => recognition.again(session, locale),
});
const drawer = new Drawer(byId("library"), byId("drawer-button"), byId("backdrop"), byId("main"));
const search = new Search({
  field: byId("query"), state: byId("search-state"), hits: byId("hits"), sessions: byId("session-list"), filter, failed,
});
const find = new Find(view, failed);
new Menu(byId("more"), byId("more-menu"));
new ExportDialog(view);
const replacing = new ReplaceDialog(view, {
  failed, notices,
  changed: (ids) => library.update(ids).catch(failed),
});
const watch = new WatchDialog(failed);
const correctedWords = new CorrectedWords(view, { failed, notices, announcer });
const vocabularies = new VocabularyDialog({ failed, announcer });
const recognition = new RecognitionDialog({ failed, notices, changed: () => view.workChanged().catch(failed) });

/** A file is in the library. The first one is shown, if nothing is. */
function uploaded(name, { id, isDuplicate }) {
  announcer.say(isDuplicate ? `${name} is already in the library` : `${name} was added`);
  if (isDuplicate) notices.show(`“${name}” is already in the library.`);
  if (currentRoute().session === null) location.hash = fragment(id);
  refresh().catch(failed);
}

function add(files) {
  if (files.length === 0) return notices.show("There is no audio or video file in it.");
  recognition.add(files, (choice) => {
    uploads.add(files, choice);
    drawer.set(true);
  });
}

/** Shows what can be done first while the library is empty. */
function showWelcome() {
  const isEmpty = library.isEmpty && uploads.waiting.length === 0;
  byId("welcome-title").textContent = isEmpty ? "Turn speech into text" : "Your recordings and transcripts";
  byId("welcome-text").textContent = isEmpty
    ? "Recordings and text stay on this computer, readable by you alone."
    : "Choose a session, search all transcripts, or drop a recording here.";
  byId("welcome-buttons").hidden = !isEmpty;
  filter.show(!isEmpty);
}

async function follow() {
  const route = currentRoute();
  library.select(route.session);
  byId("welcome").hidden = route.session !== null;
  drawer.setHome(route.session === null);
  if (route.session === null) {
    trouble.hidden = true;
    view.close();
    document.title = "Longhand";
    return;
  }
  try {
    await view.open(route);
    trouble.hidden = true;
  } catch (error) {
    if (error.status === 404 && route.session === recorder.session) {
      // A recording is in the library a moment after it has begun.
      setTimeout(() => { if (currentRoute().session === route.session) follow(); }, 300);
    } else if (error.status === 404) {
      failed(error);
      location.hash = "#/";
    } else if (currentRoute().session === route.session) {
      byId("trouble-text").textContent = error.message;
      trouble.hidden = false;
    }
  }
}

/** After an outage, repeats what failed meanwhile: to open a session, to list the sessions, to search. */
function catchUp() {
  if (!trouble.hidden) follow();
  if (library.isStale) refresh().catch(failed);
  search.again();
}

async function deleteSession() {
  const { id, session } = view;
  if (!session || !(await confirmsDeletion(nameOf(session), canStop(session)))) return;
  // An open session is loaded again when it changes, and its deletion is a change.
  view.close();
  location.hash = "#/";
  try {
    await request(`${sessionPath(id)}?stop=true`, { method: "DELETE" });
    await refresh();
    announcer.say("The session was deleted");
    byId("query").focus();
  } catch (error) {
    failed(error);
    location.hash = fragment(id);
  }
}

/** Continues an interrupted session. Its events report its progress. */
async function resumeSession() {
  const { id } = view;
  byId("resume").hidden = true;
  byId("scroller").focus({ preventScroll: true });
  try {
    await request(sessionPath(id, "resume"), { method: "POST" });
  } catch (error) {
    failed(error);
    view.showState();
  }
}

/** Stops what is done with the open session. Its events report that. */
async function stopWork() {
  byId("stop-work").disabled = true;
  try {
    const { id } = view;
    const session = await request(sessionPath(id, "stop"), { method: "POST" });
    if (id === view.id) await view.events.updated(session);
    byId("scroller").focus({ preventScroll: true });
  } catch (error) {
    // It may have ended by itself.
    if (error.status !== 409) failed(error);
  }
  byId("stop-work").disabled = false;
}

/** Changes when the open session has its turn. */
async function move(to) {
  await request(sessionPath(view.id, "move"), { method: "POST", body: { to } }).catch(failed);
  await library.refresh().catch(failed);
}

async function copy(hasTimes) {
  try {
    await copyTranscript(view.id, hasTimes);
    notices.show("The transcript was copied.");
  } catch (error) {
    failed(error);
  }
}

function toggle(button, set) {
  const isOn = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isOn));
  set(isOn);
}

const toggleConfidence = () => toggle(byId("doubt"), (isOn) => view.setShowsConfidence(isOn));
const toggleNormalized = () => toggle(byId("normalized"), (isOn) => view.setShowsNormalized(isOn));
const toggleTranslation = () => toggle(byId("translated"), (isOn) => view.setShowsTranslation(isOn).catch(failed));
/** The text that is selected in the transcript, or the focused word. */
const chosenText = () => getSelection().toString().trim() || withoutMarks(document.activeElement?.closest(".word")?.textContent ?? "");
const showKeys = () => byId("keys-dialog").showModal();

byId("doubt").addEventListener("click", toggleConfidence);
byId("normalized").addEventListener("click", toggleNormalized);
byId("translated").addEventListener("click", toggleTranslation);
byId("announce").setAttribute("aria-pressed", String(announcer.announcesText));
byId("announce").addEventListener("click", () =>
  toggle(byId("announce"), (isOn) => announcer.setAnnouncesText(isOn)));
byId("delete").addEventListener("click", deleteSession);
byId("resume").addEventListener("click", resumeSession);
byId("stop-work").addEventListener("click", stopWork);
byId("move-first").addEventListener("click", () => move("first"));
byId("move-up").addEventListener("click", () => move("up"));
byId("retry").addEventListener("click", follow);
byId("help").addEventListener("click", showKeys);
byId("add").addEventListener("click", () => byId("files").click());
byId("welcome-add").addEventListener("click", () => byId("files").click());
byId("welcome-record").addEventListener("click", () => recorder.record());
byId("find-here").addEventListener("click", () => find.open());
byId("replace-here").addEventListener("click", () => replacing.open());
byId("find-replace").addEventListener("click", () => replacing.open(byId("find-field").value));
byId("search-replace").addEventListener("click", () => replacing.open(byId("query").value));
byId("copy-text").addEventListener("click", () => copy(false));
byId("copy-timed").addEventListener("click", () => copy(true));
byId("vocabularies").addEventListener("click", () => vocabularies.open());
byId("again").addEventListener("click", () => recognition.again(view.session));
byId("separate").addEventListener("click", () => recognition.separate(view.session));
byId("translate").addEventListener("click", () => view.translate().catch(failed));
const print = () => printTranscript(view.session).catch(failed);
byId("print").addEventListener("click", print);
for (const [id, chosen] of [["files", (files) => files], ["folder", withAudio]]) {
  byId(id).addEventListener("change", ({ target }) => {
    add(chosen([...target.files]));
    target.value = "";
  });
}
acceptFiles(byId("drop"), add, failed);
byId("skip").addEventListener("click", () => byId("scroller").focus());

handleKeys({
  " ": () => view.player.toggle(),
  ArrowLeft: () => view.actions.word(-1) || view.player.step(-5),
  ArrowRight: () => view.actions.word(1) || view.player.step(5),
  "Shift+ArrowLeft": () => view.player.step(-5),
  "Shift+ArrowRight": () => view.player.step(5),
  ArrowUp: () => byId("scroller").scrollBy(0, -80),
  ArrowDown: () => byId("scroller").scrollBy(0, 80),
  PageUp: () => byId("scroller").scrollBy(0, -0.85 * byId("scroller").clientHeight),
  PageDown: () => byId("scroller").scrollBy(0, 0.85 * byId("scroller").clientHeight),
  Home: () => view.navigation.beginning(),
  End: () => view.navigation.end(),
  l: () => view.navigation.end(),
  j: () => view.navigation.step(1),
  k: () => view.navigation.step(-1),
  Enter: () => view.navigation.edit(),
  "Control+Enter": () => view.navigation.divide(),
  "Control+Backspace": () => view.navigation.join(),
  "Control+z": () => view.actions.history("undo"),
  "Control+Shift+z": () => view.actions.history("redo"),
  "Control+y": () => view.actions.history("redo"),
  "Control+p": () => view.session ? print() : window.print(),
  p: () => view.audio.playCurrent(),
  a: () => { if (view.navigation.currentRow !== null) view.actions.toggle(view.navigation.currentRow); },
  c: toggleConfidence,
  n: () => byId("normalized").hidden || toggleNormalized(),
  Escape: (isLeaving) => view.actions.close() || isLeaving || view.player.toggle(),
  F1: () => view.player.step(-2),
  F2: () => view.player.step(2),
  F3: () => view.audio.tools.stepSpeed(-1),
  F4: () => view.audio.tools.stepSpeed(1),
  o: () => view.audio.tools.toggleLoop(),
  s: () => view.audio.tools.toggleSkip(),
  e: () => view.navigation.correct(),
  w: () => { if (view.navigation.currentRow !== null) view.speakerPopup.open(view.navigation.currentRow); },
  u: () => view.unsure.next(1),
  "Shift+u": () => view.unsure.next(-1),
  f: () => find.open(),
  "Shift+f": () => replacing.open(chosenText()),
  v: () => vocabularies.open(),
  "Shift+v": () => correctedWords.open(),
  t: () => { if (view.id) byId("name").click(); },
  x: () => { if (view.id) byId("export").click(); },
  i: () => byId("files").click(),
  "Shift+i": () => byId("folder").click(),
  r: () => recorder.record(),
  "Shift+p": () => recorder.pause(),
  "Shift+s": () => {
    if (recorder.session) recorder.stop();
    else if (!byId("stop-work").hidden && view.id) stopWork();
  },
  "/": () => {
    drawer.set(true);
    byId("query").focus();
    byId("query").select();
  },
  "?": showKeys,
});

async function goThere() {
  await follow();
  // After choosing a session the keyboard works in it, unless a popup or a dialog was opened meanwhile.
  if (view.id && document.activeElement?.closest("#rows, #query, dialog, [role=dialog]") === null) {
    byId("scroller").focus({ preventScroll: true });
  }
}

window.addEventListener("hashchange", goThere);
byId("library").addEventListener("click", ({ target }) => {
  // The browser reports no change when what is open already is chosen.
  if (target.closest("a")?.hash === location.hash) goThere();
});

async function refresh() {
  await Promise.all([library.refresh(), recorder.refresh(), filter.refresh(), watch.refresh()]);
  showWelcome();
}

/**
 * The list of sessions has changed. The open session may have been deleted elsewhere.
 *
 * @param changed the IDs of the sessions that changed, if the list is the same otherwise.
 */
async function sessionsChanged({ changed }) {
  try {
    if (changed && changed.length <= 50) {
      await library.update(changed);
      if (changed.includes(view.id)) await view.workChanged();
      return;
    }
    await Promise.all([library.refresh(), filter.refresh()]);
    showWelcome();
  } catch (error) {
    failed(error);
  }
}

// The session first, because the user waits for it.
await follow();
await refresh().catch(failed);
uploads.restore().catch(failed);
staySignedIn().catch(() => {});
new Stream(() => "api/events", {
  sessions: sessionsChanged,
  recording: (recording) => recorder.update(recording),
}, {
  prepare: refresh,
  changed: (state) => {
    connection.set("library", state);
    if (state === "open") catchUp();
  },
});
