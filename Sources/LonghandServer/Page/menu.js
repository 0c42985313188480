/** A button with a menu of actions. The arrow keys go from action to action, Escape goes back to the button. */
export class Menu {
  constructor(button, list) {
    Object.assign(this, { button, list });
    button.addEventListener("click", () => this.set(list.hidden));
    const whole = button.parentElement;
    whole.addEventListener("keydown", (event) => this.key(event));
    whole.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !whole.contains(relatedTarget)) this.set(false);
    });
    document.addEventListener("click", (event) => { if (!whole.contains(event.target)) this.set(false); });
    list.addEventListener("click", () => this.set(false));
  }

  get items() { return [...this.list.querySelectorAll("[role=menuitem]:not(:disabled, [hidden])")]; }

  set(isOpen) {
    if (this.list.hidden === !isOpen) return;
    this.list.hidden = !isOpen;
    this.button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) this.items[0]?.focus();
    else if (this.list.contains(document.activeElement)) this.button.focus();
  }

  key(event) {
    const { items } = this;
    const index = items.indexOf(document.activeElement);
    const isOpen = !this.list.hidden;
    if (event.key === "Escape" && isOpen) this.set(false);
    else if (event.key === "ArrowDown" && !isOpen) this.set(true);
    else if (event.key === "ArrowDown") items[(index + 1) % items.length].focus();
    else if (event.key === "ArrowUp" && isOpen) items.at(index > 0 ? index - 1 : -1).focus();
    else if (event.key === "Home" && isOpen) items[0].focus();
    else if (event.key === "End" && isOpen) items.at(-1).focus();
    else if (event.key === "Tab" && isOpen) return this.set(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
