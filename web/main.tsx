import { render } from "preact";
import { App } from "./app.js";
import { startLive } from "./live.js";
import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";

const root = document.getElementById("console");
if (!root) throw new Error("index.html has no element #console");
startLive();
render(<App />, root);
