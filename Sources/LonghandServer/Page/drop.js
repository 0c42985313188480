/** The extensions of audio and video files, by which the files of a folder are chosen. */
const extensions = new Set((
  "3gp aac ac3 aif aifc aiff amr ape au avi caf flac flv gsm m4a m4b m4v mka mkv mov mp2 mp3 mp4 mpeg mpg mts oga ogg ogv opus "
  + "rf64 snd spx tta w64 wav wave webm wma wmv wv").split(" "));

/** The audio and video files among the files of a folder. */
export const withAudio = (files) => [...files].filter(({ name }) =>
  !name.startsWith(".") && extensions.has(name.split(".").at(-1).toLowerCase()));

const entries = (reader) => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

/** The files in a folder and in the folders in it. */
async function filesIn(folder) {
  const reader = folder.createReader();
  const files = [];
  // A browser returns at most a hundred entries at once.
  for (let some = await entries(reader); some.length > 0; some = await entries(reader)) {
    for (const entry of some) files.push(...(entry.isDirectory ? await filesIn(entry) : [await fileOf(entry)]));
  }
  return withAudio(files);
}

async function filesOf(items) {
  // Synchronously: the items are gone after the event.
  const all = [...items].filter(({ kind }) => kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry?.(), file: item.getAsFile() }));
  const found = await Promise.all(
    all.map(async ({ entry, file }) => (entry?.isDirectory ? filesIn(entry) : file ? [file] : [])));
  return found.flat();
}

const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

/** Makes the whole page a target for files. @param added is called with the files. */
export function acceptFiles(overlay, added, failed) {
  let depth = 0;
  const show = (by) => {
    depth = Math.max(0, depth + by);
    overlay.hidden = depth === 0;
  };
  document.addEventListener("dragenter", (event) => { if (hasFiles(event)) show(1); });
  document.addEventListener("dragleave", (event) => { if (hasFiles(event)) show(-1); });
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  });
  document.addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(-Infinity);
    try {
      added(await filesOf(event.dataTransfer.items));
    } catch (error) {
      failed(error);
    }
  });
}
