/**
 * What was typed and is not stored yet, by session, in the browser's storage: it survives a closed tab, a dead server and a lost
 * connection. Where the browser keeps nothing, the page works without it.
 */
export const keptText = {
  get(session) {
    try {
      return JSON.parse(localStorage.getItem(`longhand-text ${session}`));
    } catch {
      return null;
    }
  },

  put(session, edit) {
    try {
      localStorage.setItem(`longhand-text ${session}`, JSON.stringify(edit));
    } catch {
      // The text is in the page still.
    }
  },

  remove(session) {
    try {
      localStorage.removeItem(`longhand-text ${session}`);
    } catch {
      // Nothing was kept.
    }
  },
};
