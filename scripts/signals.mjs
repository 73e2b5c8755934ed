// Preloaded into the process that run.mjs starts. Ctrl-C in a terminal reaches the whole process group, `kill` only
// the parent, and npm forwards its signals. So the parent sends a message, and the process signals itself only if it
// received no signal directly.
const signals = ["SIGINT", "SIGTERM"];
let signalled = false;

for (const signal of signals) {
  process.on(signal, function note() {
    signalled = true;
    if (process.listenerCount(signal) > 1) return;
    process.off(signal, note);
    process.kill(process.pid, signal);
  });
}

function signalSelf(signal) {
  if (signalled) return;
  signalled = true;
  process.kill(process.pid, signal);
}

// A signal sent before the parent's message may still be pending.
process.on("message", (message) => {
  if (signals.includes(message)) setTimeout(signalSelf, 50, message);
});
process.on("disconnect", () => signalSelf("SIGTERM"));
process.channel?.unref();
