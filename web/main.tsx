import { render } from "preact";
import { App } from "./app.js";
import { startLive } from "./live.js";
import { takeLink } from "./session.js";
import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";

const root = document.getElementById("console");
if (!root) throw new Error("index.html has no element #console");
const link = takeLink();
startLive();
render(<App link={link} />, root);
