// Makes qimen-mingfa.tsv with the npm package qimen-mingfa (made with 1.0.16, lunar-typescript 1.8.6 by node 20), from moments on the standard input:
//   npm install qimen-mingfa@1.0.16
//   python -c 'from tests.test_qimen_independent import *; print(*(f"{m:%Y-%m-%dT%H:%M}" for m in moments()), *TRAPS, sep="\n")' |
//     NODE_PATH=node_modules node tests/cases/qimen-mingfa.js > tests/cases/qimen-mingfa.tsv
const { paipan } = require("qimen-mingfa");
const columns = ["at", "pillars", "term", "ju", "head", "star", "door", "earth", "heaven", "stars", "doors", "deities", "earth deities"];
console.log(columns.join("\t"));
for (const at of require("fs").readFileSync(0, "utf8").trim().split("\n")) {
  const [year, month, day, hour, minute] = at.split(/[^0-9]/).map(Number);
  // With a minute given as it is and no 局: by 拆補.
  const r = paipan({ time: { year, month, day, hour, minute }, additionalSettings: { traditionalCharacters: true, singleCharacter: false } });
  const t = r.allTimeInformation;
  const palaces = Object.values(r.panJuResult);
  // One character is enough for each: the first of a door (中五 is the door 中), the last of a star or spirit.
  const first = (key) => palaces.map((p) => p[key][0]).join("");
  const last = (key) => palaces.map((p) => p[key].slice(-1)).join("");
  const plates = [last("diPanGan"), last("tianPanGan"), last("xing"), first("men"), last("tianPanShen"), last("diPanShen")];
  console.log([at, [t.nianzhu, t.yuezhu, t.rizhu, t.shizhu].join(" "), t.jieqi, t.dun + t.jushu, r.xunShou, r.zhiFu, r.zhiShi, ...plates].join("\t"));
}
