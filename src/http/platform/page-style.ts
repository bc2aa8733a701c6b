/**
 * The style of all pages. Each page contains the style, so that a page needs only one request. The
 * Content-Security-Policy header allows the style by its hash.
 */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d9dde3, #3a3f47); --soft: light-dark(#f4f5f7, #22262c);
  --quiet: light-dark(#56606d, #a3adb9); --link: light-dark(#0b57d0, #8ab4f8); --mark: light-dark(#fff0b8, #5c4b10);
  --paper: light-dark(#fff, #16191d); --ink: light-dark(#1c2128, #e4e7eb); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; text-size-adjust: 100%; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--paper); padding: 0.25rem 0.5rem; }
.banner { background: #7a4a00; color: #fff; text-align: center; padding: 0.35rem 1rem; }
body > header { border-bottom: 1px solid var(--line); }
body > header nav { max-width: 90rem; margin: 0 auto; padding: 0.75rem 1rem; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
body > header a { text-decoration: none; }
body > header a:first-child { font-weight: 700; color: var(--ink); }
body > header a[aria-current] { text-decoration: underline; text-underline-offset: 0.3em; }
.columns { max-width: 90rem; margin: 0 auto; padding: 0 1rem 4rem; display: flex; flex-direction: column; }
main { width: 100%; max-width: 60rem; margin: 0 auto; padding: 0.5rem 0 2rem; min-width: 0; }
h1 { line-height: 1.2; margin: 1rem 0; font-size: 1.9rem; overflow-wrap: anywhere; }
main h2 { line-height: 1.3; margin: 2.5rem 0 0.75rem; font-size: 1.35rem; overflow-wrap: anywhere; }
main h3 { line-height: 1.3; margin: 2rem 0 0.5rem; font-size: 1.1rem; overflow-wrap: anywhere; }
.anchor { color: var(--quiet); text-decoration: none; font-weight: 400; opacity: 0; }
:is(h2, h3, h4):hover > .anchor, .anchor:focus { opacity: 1; }
code { font: 0.88em ui-monospace, monospace; background: var(--soft); padding: 0.1em 0.3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--soft); padding: 0.9rem 1rem; border-radius: 8px; overflow-x: auto; line-height: 1.5; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; min-width: 100%; font-size: 0.93em; line-height: 1.5; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 1rem 0.45rem 0; border-bottom: 1px solid var(--line); min-width: 5rem; }
th { color: var(--quiet); font-weight: 600; }
.right { text-align: right; }
td:first-child code { white-space: nowrap; overflow-wrap: normal; }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
label { white-space: nowrap; font-size: 0.9rem; color: var(--quiet); }
input, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: 6px; padding: 0.3rem 0.6rem; }
.side form { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.5rem; align-items: end; }
.side label { display: block; white-space: normal; }
.side input { width: 100%; }
.side h2, .contents p { font-size: 0.9rem; font-weight: 600; color: var(--quiet); margin: 1.1rem 0 0.2rem; }
.side ul, .contents ul { list-style: none; margin: 0; padding: 0; font-size: 0.95rem; }
.side li a, .contents li a { display: block; padding: 0.15rem 0; text-decoration: none; color: var(--ink); overflow-wrap: anywhere; }
.side li a:hover, .contents li a:hover { color: var(--link); text-decoration: underline; }
.side li a[aria-current] { color: var(--link); font-weight: 600; }
details.contents { border: 1px solid var(--line); border-radius: 8px; padding: 0.5rem 0.9rem; margin: 1rem 0; }
main details:not(.contents) { margin: 0.8rem 0; }
summary { cursor: pointer; }
nav.contents { display: none; }
.hits { padding-left: 0; list-style: none; overflow-wrap: anywhere; }
.hits p { margin: 0.1rem 0 1.2rem; }
@media (max-width: 59.99rem) {
  .side { order: 2; border-top: 1px solid var(--line); padding-top: 1.5rem; }
}
@media (min-width: 60rem) {
  .columns.wide { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 3rem; }
  .columns.wide main { margin: 0; }
  .menu { display: none; }
  .side { padding-top: 1.25rem; position: sticky; top: 0; max-height: 100vh; overflow-y: auto; align-self: start; padding-bottom: 2rem; scrollbar-width: thin; }
}
@media (min-width: 80rem) {
  .columns.wide { grid-template-columns: 15rem minmax(0, 1fr) 13rem; }
  details.contents { display: none; }
  nav.contents { display: block; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1.25rem 0 2rem; scrollbar-width: thin; }
}
`;
