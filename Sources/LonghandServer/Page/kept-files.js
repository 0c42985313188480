const left = "left-";

/**
 * The files that are being sent, by the ID of their upload, and how they are transcribed, in the browser's database: after a
 * reload the page continues to send them. Where the browser keeps none, the user adds the file again, and it continues where it
 * stopped.
 */
class KeptFiles {
  database() {
    this.opened ??= new Promise((resolve, reject) => {
      const opening = indexedDB.open("longhand", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("files");
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    return this.opened;
  }

  async change(mode, work) {
    const database = await this.database();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction("files", mode);
      const request = work(transaction.objectStore("files"));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  /** Keeps a file. A browser without room for it keeps nothing. */
  async put(id, file, choice) {
    await this.change("readwrite", (files) => files.put({ file, choice }, id)).catch(() => {});
  }

  /** Keeps a file that is in no upload. Returns its ID. */
  async leave(file, choice) {
    const id = `${left}${Date.now()}`;
    await this.put(id, file, choice);
    return id;
  }

  /** Whether a file was left to be added. */
  isLeft(id) { return id.startsWith(left); }

  async remove(id) { await this.change("readwrite", (files) => files.delete(id)).catch(() => {}); }

  /** All files by ID, with the choice of how each is transcribed. */
  async all() {
    try {
      const ids = await this.change("readonly", (files) => files.getAllKeys());
      const files = await this.change("readonly", (all) => all.getAll());
      // An older page kept the file alone.
      return new Map(ids.map((id, index) => [id, files[index] instanceof Blob ? { file: files[index] } : files[index]]));
    } catch {
      return new Map();
    }
  }
}

export const keptFiles = new KeptFiles();
