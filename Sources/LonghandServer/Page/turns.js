/** Does one thing after the other: the next begins when the one before is done, whether it failed or not. */
export class Turns {
  /** Does something in its turn. Returns a promise of its result. */
  take(act) {
    this.last = (this.last ?? Promise.resolve()).then(act, act);
    return this.last;
  }
}
