/**
 * The list of sessions. On a wide page it is beside the transcript, on a narrow one it is a drawer over it. Without an
 * open session it fills a narrow page.
 */
export class Drawer {
  constructor(panel, button, backdrop, main) {
    Object.assign(this, { panel, button, backdrop, main });
    this.narrow = matchMedia("(max-width: 52rem)");
    this.narrow.addEventListener("change", () => this.set(false));
    button.addEventListener("click", () => this.set(!this.isOpen));
    backdrop.addEventListener("click", () => this.set(false));
    panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.isOpen || event.defaultPrevented) return;
      event.preventDefault();
      this.set(false);
      button.focus();
    });
    this.set(false);
  }

  /** Whether no session is open. */
  setHome(isHome) {
    this.isHome = isHome;
    document.body.classList.toggle("home", isHome);
    this.set(false);
  }

  set(isOpen) {
    const isDrawer = this.narrow.matches && !this.isHome;
    this.isOpen = isDrawer && isOpen;
    document.body.classList.toggle("drawer-open", this.isOpen);
    this.backdrop.hidden = !this.isOpen;
    this.button.setAttribute("aria-expanded", String(this.isOpen));
    // Keys must not reach what is not visible.
    this.panel.inert = isDrawer && !this.isOpen;
    this.main.inert = this.isOpen;
  }
}
