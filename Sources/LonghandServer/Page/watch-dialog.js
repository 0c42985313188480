import { request } from "./api.js";
import { LeaveGuard } from "./dialogs.js";
import { byId, element } from "./element.js";

/** Shows and chooses the folder whose files the server imports. */
export class WatchDialog {
  constructor(failed) {
    this.failed = failed;
    byId("watch").addEventListener("click", () => this.open().catch(failed));
    this.guard = new LeaveGuard(byId("watch-dialog"), byId("watch-cancel"), {
      what: () => "The folder that you typed is not watched.",
    });
    byId("watch-off").addEventListener("click", () => this.choose(null));
    byId("watch-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.choose(byId("watch-folder").value.trim());
    });
  }

  async refresh() { this.show(await request("api/watch")); }

  async open() {
    byId("watch-error").textContent = "";
    await this.refresh();
    this.guard.open();
  }

  async choose(folder) {
    try {
      this.show(await request("api/watch", { method: "PUT", body: { folder } }));
      byId("watch-dialog").close();
    } catch (error) {
      byId("watch-error").textContent = error.message;
    }
  }

  show({ folder, isChangeable, waiting, problems }) {
    const remarks = problems.length ? ` (${problems.length} ${problems.length === 1 ? "remark" : "remarks"})` : "";
    byId("watch").textContent = folder ? `Watched folder: ${folder.split("/").at(-1) || folder}${remarks}` : "Watch a folder…";
    byId("watch").hidden = !folder && !isChangeable;
    byId("watch-folder").value = folder ?? "";
    byId("watch-folder").readOnly = !isChangeable;
    byId("watch-off").hidden = !folder || !isChangeable;
    byId("watch-save").hidden = !isChangeable;
    byId("watch-waiting").hidden = waiting.length === 0;
    byId("watch-waiting").textContent = waiting.length === 1 ? "1 file waits." : `${waiting.length} files wait.`;
    byId("watch-problems").replaceChildren(
      ...problems.map(({ file, message }) => element("li", { title: file }, message)));
  }
}
