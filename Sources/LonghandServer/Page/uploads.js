import { RefusedError, request, sendPart, UnreachableError } from "./api.js";
import { keptFiles } from "./kept-files.js";

const shortestWait = 500;
const longestWait = 8000;
const partSize = 2 << 20;

/**
 * Brings files into the library, one after the other, in parts. A part that did not arrive is sent again; a file that the page
 * still has after a reload is continued. `waiting` has a row for each file that is not in the library yet.
 */
export class Uploads {
  /** @param changed is called when a row changed; `done` with the name, the session and whether it was there before. */
  constructor({ changed, done, failed }) {
    Object.assign(this, { changed, done, failed });
    this.waiting = [];
    this.isRunning = false;
    window.addEventListener("online", () => this.wake?.());
  }

  /** Continues the uploads of an earlier visit. */
  async restore() {
    const { uploads } = await request("api/uploads");
    const files = await keptFiles.all();
    for (const upload of uploads) {
      if (this.waiting.some(({ id }) => id === upload.id)) continue;
      const { file, choice } = files.get(upload.id) ?? {};
      this.waiting.push({
        id: upload.id, name: upload.name, size: upload.size, received: upload.received, file, choice,
        state: upload.isStopped ? "stopped" : file ? "queued" : "interrupted",
      });
    }
    for (const [id, { file, choice }] of files) {
      if (keptFiles.isLeft(id)) {
        if (!this.waiting.some(({ left }) => left === id)) this.add([file], choice, id);
      } else if (!uploads.some((upload) => upload.id === id)) keptFiles.remove(id);
    }
    this.changed();
    this.run();
  }

  /** Adds a file that only this browser has: it is kept until it is in the library. */
  async addOwn(file, choice) { this.add([file], choice, await keptFiles.leave(file, choice)); }

  /** Adds files to the queue. @param choice how they are transcribed. @param left the ID of a file that only this browser has. */
  add(files, choice, left) {
    for (const file of files) {
      const known = this.waiting.find(({ name, size, state }) =>
        name === file.name && size === file.size && ["interrupted", "failed"].includes(state));
      // The choice is sent when the upload begins, and again when it continues.
      if (known) Object.assign(known, { id: null, file, choice, left, state: "queued", why: null });
      else {
        this.waiting.push({ id: null, name: file.name, size: file.size, received: 0, file, choice, left, state: "queued" });
      }
    }
    this.changed();
    this.run();
  }

  /** Stops sending a file. What was received is kept, also by the server. */
  async stop(upload) {
    upload.state = "stopped";
    this.wake?.();
    this.changed();
    await this.tell(upload, "stop");
  }

  /** Goes on sending a file that was stopped, if the page has it, or begins again with one that failed. */
  async resume(upload) {
    if (upload.state === "failed") Object.assign(upload, { id: null, received: 0, why: null });
    await this.tell(upload, "resume");
    upload.state = upload.file ? "queued" : "interrupted";
    this.changed();
    this.run();
  }

  async tell(upload, what) {
    if (!upload.id) return;
    await request(`api/uploads/${upload.id}/${what}`, { method: "POST" }).catch(this.failed);
  }

  /** Removes a file from the queue, and what was received of it. */
  async remove(upload) {
    this.waiting = this.waiting.filter((one) => one !== upload);
    upload.isRemoved = true;
    upload.abort?.();
    this.changed();
    if (upload.left) keptFiles.remove(upload.left);
    if (!upload.id) return;
    keptFiles.remove(upload.id);
    await request(`api/uploads/${upload.id}`, { method: "DELETE" }).catch((error) => {
      if (error.status !== 404) this.failed(error);
    });
  }

  async run() {
    if (this.isRunning) return;
    this.isRunning = true;
    for (let next = this.next; next; next = this.next) await this.take(next);
    this.isRunning = false;
  }

  get next() { return this.waiting.find(({ state }) => state === "queued"); }

  async take(upload) {
    upload.state = "uploading";
    this.changed();
    let wait = shortestWait;
    while (!upload.isRemoved && upload.state === "uploading") {
      try {
        const session = await this.transfer(upload, () => { wait = shortestWait; });
        if (!session) return;
        this.waiting = this.waiting.filter((one) => one !== upload);
        keptFiles.remove(upload.left ?? upload.id);
        this.done(upload.name, session);
        this.changed();
        return;
      } catch (error) {
        if (error.code === "stopped") {
          upload.state = "stopped";
          this.changed();
        } else if (error instanceof UnreachableError || error.code === "in_use") {
          await this.pause(wait);
          wait = Math.min(2 * wait, longestWait);
        } else if (error.status === 404 && upload.id) {
          // It was removed elsewhere, or with an older server.
          Object.assign(upload, { id: null, received: 0 });
        } else if (upload.left && upload.choice && error.status === 400) {
          // The model or the vocabulary was removed. What only this browser has is added without them.
          upload.choice = null;
        } else {
          if (upload.id) keptFiles.remove(upload.id);
          Object.assign(upload, { state: "failed", why: error.message });
          this.changed();
          return;
        }
      }
    }
  }

  pause(time) {
    return new Promise((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, time);
    });
  }

  /** Sends what the server does not have. Returns the session, or null if the file is not wanted now. */
  async transfer(upload, progressed) {
    const { file } = upload;
    if (!upload.id) {
      const begun = await request("api/uploads", {
        method: "POST", body: { name: file.name, size: file.size, modified: file.lastModified, ...upload.choice },
      });
      Object.assign(upload, { id: begun.id, received: begun.received });
      if (!upload.left) await keptFiles.put(upload.id, file, upload.choice);
    }
    while (!upload.isRemoved && upload.state === "uploading") {
      const offset = upload.received;
      let answer;
      try {
        answer = await sendPart(`api/uploads/${upload.id}?offset=${offset}`, await bytes(file, offset));
      } catch (error) {
        if (error.code !== "wrong_offset") throw error;
        answer = await request(`api/uploads/${upload.id}`);
      }
      progressed();
      if (answer.isDuplicate !== undefined) return answer;
      upload.received = answer.received;
      this.changed();
    }
    return null;
  }
}

/** The next bytes of a file. */
async function bytes(file, offset) {
  try {
    return await file.slice(offset, offset + partSize).arrayBuffer();
  } catch {
    throw new RefusedError(`“${file.name}” cannot be read. It was moved or changed. Add it again.`, 0);
  }
}
