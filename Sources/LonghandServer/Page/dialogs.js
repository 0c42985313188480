import { byId } from "./element.js";

/** Opens a dialog and returns the value of the button that closed it. */
function answer(dialog) {
  return new Promise((resolve) => {
    dialog.returnValue = "";
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
    dialog.showModal();
  });
}

/** Asks whether to delete a session. @param stops whether work on it stops. */
export async function confirmsDeletion(name, stops) {
  byId("delete-stops").hidden = !stops;
  byId("delete-name").textContent = name;
  return (await answer(byId("delete-dialog"))) === "delete";
}
