// The simulated upstreams as a process of their own; tells its parent where they listen.
import { systemClock } from "../dist/kit/clock.js";
import { startSimulator } from "../dist/simulator/simulator.js";

const { baseUrl, credentials } = await startSimulator({ clock: systemClock, seed: 1 });
process.send({ baseUrl, credentials });
