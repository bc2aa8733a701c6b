// Loaded into a server with `--expose-gc --import`: SIGUSR2 starts a full garbage collection.
process.on("SIGUSR2", () => globalThis.gc());
