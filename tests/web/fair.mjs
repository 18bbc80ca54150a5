// Runs the page's check of cards outside of a browser: reads the papers of a deal a line from standard
// input, and answers each with a line of what was found.

import { readFileSync } from "node:fs";

import { check } from "../../service/web/js/fair.js";

const lines = readFileSync(0, "utf8").split("\n");
for (const line of lines.filter((one) => one.trim())) console.log(JSON.stringify(await check(JSON.parse(line))));
