const { challenge } = document.currentScript.dataset;

/** The key that this browser has since it was signed in with the token; null if it has none. */
const storedKey = () => new Promise((resolve) => {
  const opening = indexedDB.open("longhand-sign-in", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  opening.onerror = () => resolve(null);
  opening.onsuccess = () => {
    const reading = opening.result.transaction("keys").objectStore("keys").get("key");
    reading.onsuccess = () => resolve(reading.result ?? null);
    reading.onerror = () => resolve(null);
  };
});

/** Signs in with the key. The server learns that the browser has it, and not the key. */
async function signIn() {
  const key = await storedKey();
  if (!key) return;
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(challenge)));
  const proof = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const answer = await fetch("/sign-in", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ proof }),
  });
  if (answer.ok) location.replace((await answer.json()).path + location.hash);
}

signIn().catch(() => {});
