// Starts a script of a measurement in a process of its own. The script answers each message
// `{ name, argument }` with `{ name, value }`.
import { fork } from "node:child_process";

/** Starts the process and returns `{ ready, ask(name, argument), close(), pid }`. */
export function startProcess(file, args, env = {}) {
  const child = fork(file, args, { env: { ...process.env, ...env }, execArgv: ["--expose-gc"] });
  const answer = (name) =>
    new Promise((resolve, reject) => {
      const heard = (message) => {
        if (message.name !== name) return;
        child.off("message", heard);
        child.off("exit", ended);
        resolve(message.value);
      };
      const ended = (code) => reject(new Error(`${args[0]} ended with ${code} before ${name}`));
      child.on("message", heard);
      child.on("exit", ended);
    });
  return {
    pid: child.pid,
    ready: answer("ready"),
    ask(name, argument) {
      child.send({ name, argument });
      return answer(name);
    },
    close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.send({ name: "close" });
      return ended;
    },
  };
}
