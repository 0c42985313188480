import { request } from "./api.js";
import { byId } from "./element.js";

/** Opens a dialog and returns the value of the button that closed it. */
function answer(dialog) {
  return new Promise((resolve) => {
    dialog.returnValue = "";
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
    dialog.showModal();
  });
}

/** Asks whether to delete a session. */
export async function confirmsDeletion(name) {
  byId("delete-name").textContent = name;
  return (await answer(byId("delete-dialog"))) === "delete";
}

/** Asks for the token until the server accepts it. */
export async function askForToken() {
  const dialog = byId("token-dialog");
  const field = byId("token");
  byId("token-error").textContent = "";
  field.removeAttribute("aria-invalid");
  for (;;) {
    const answered = answer(dialog);
    field.select();
    if ((await answered) !== "send") continue;
    try {
      await request("/api/login", { method: "POST", body: { token: field.value.trim() } });
      field.value = "";
      return;
    } catch (error) {
      field.setAttribute("aria-invalid", "true");
      byId("token-error").textContent = error.status === 401 ? "This token is wrong. Copy it from the terminal in which Longhand was started." : error.message;
    }
  }
}
