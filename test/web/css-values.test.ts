import { expect, test } from 'vitest';
import { ignoredWarnings } from '../../lib/web/warnings/css-syntax.ts';
import { reasonIgnored } from '../../lib/web/warnings/css-values.ts';

const valid = `
color: #fff8; color: hsl(120deg 50% 50%); color: hwb(90 10% 10%); color: oklch(70% 0.1 200 / 50%)
color: color(display-p3 1 0 0); color: color-mix(in oklch longer hue, red, blue); color: light-dark(#000, #fff)
color: hsl(from red h s calc(l + 10%)); color: canvastext; color: windowtext; color: RED; color: inherit
color: color-mix(in oklab, var(--primary) 10%, transparent); color: if(style(--x: 1): red; else: blue)
background: linear-gradient(in oklch, red, blue); background: conic-gradient(red 25%, blue 0 50%, green 0)
background: repeating-linear-gradient(45deg, red 0 10px, blue 10px 20px); background: #fff none no-repeat center / cover
background-position: right 10px bottom 20px; background-clip: text; background: -webkit-linear-gradient(top, red, blue)
width: fit-content; width: stretch; width: min(100%, 40rem); width: clamp(1rem, 2vw + 1rem, 3rem); width: 50cqi
width: calc-size(auto, size * 2); width: anchor-size(width); width: round(up, 10px, 3px); height: 100dvh; width: 1e2px
width: --own(2px); width: random(1px, 2px); width: attr(data-w px, 10px); width: calc(100% - (2 * 10px))
width: calc(100% - var(--gap-1-2)); width: calc(-1 * var(--gap) + -3px); margin: calc(1px) -10px; margin: -1px
margin: env(safe-area-inset-top, 20px) 0; margin: revert-layer; margin: revert-rule; margin-trim: block; word-wrap: anywhere; inset: auto 0
position: sticky; position: -webkit-sticky; position-area: top left; position-try-fallbacks: flip-block; anchor-name: --a
display: inline flow-root; display: grid-lanes; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr))
grid-template-columns: [a] 1fr [b] 2fr [c]; grid-template-columns: subgrid; grid-template-areas: "a b" "c d"
grid-area: 1 / 2 / 3 / 4; grid-auto-flow: row dense; place-content: center space-between; align-items: safe center
flex: 1 1 0%; flex: 0 0 200px; gap: 1rem 2rem; order: -1; z-index: calc(1 + 2); opacity: 50%; zoom: 120%
font: italic bold 1.2em/1.5 "Times New Roman", serif; font: 600 1rem/1.2 system-ui, sans-serif; font-weight: 450
font-variation-settings: "wght" 400, "wdth" 80; font-variant-numeric: tabular-nums lining-nums; font-style: oblique 10deg
line-height: calc(1em + 4px); text-indent: 1em hanging; text-wrap: balance; text-wrap-style: pretty; hyphens: auto
text-decoration: underline dotted red 2px; text-shadow: 1px 1px 2px black, 0 0 1em blue; text-box: trim-both cap alphabetic
text-emphasis: filled circle red; white-space: break-spaces; overflow-wrap: anywhere; initial-letter: 3; quotes: "«" "»"
border: thin dashed currentcolor; border-radius: 10px 5% / 20px 30px; border-image: linear-gradient(red, blue) 1
corner-shape: squircle; outline: 5px auto -webkit-focus-ring-color; box-shadow: 0 1px 2px rgb(0 0 0 / 10%), inset 0 0 0 1px
overflow: hidden auto; overflow-clip-margin: content-box 5px; scroll-snap-type: x mandatory; scrollbar-gutter: stable both-edges
appearance: base-select; field-sizing: content; interpolate-size: allow-keywords; color-scheme: only light; cursor: zoom-in
aspect-ratio: 16 / 9; object-view-box: inset(10%); container: card / inline-size; container-type: scroll-state
contain-intrinsic-size: auto 300px; transform: translate(-50%, -50%) rotate(45deg) scale(1.1); rotate: x 90deg; scale: 110%
transition: opacity 0.2s, transform 0.3s cubic-bezier(.4,0,.2,1) 50ms; transition: display .2s allow-discrete
transition-timing-function: linear(0, 0.5 20%, 1); animation: fade 1s ease both infinite alternate; animation-range: entry 10%
animation-timeline: scroll(); timeline-scope: --a; view-transition-name: match-element; will-change: transform, opacity
filter: drop-shadow(2px 2px 2px rgb(0 0 0 / .5)); backdrop-filter: blur(10px) saturate(180%); clip-path: inset(0 round 10px)
clip-path: circle(50% at center); clip-path: polygon(0 0, 100% 0, 50% 100%); shape-outside: circle(50%); mask-mode: alpha
mask: radial-gradient(circle, #000 50%, transparent 51%) center / contain no-repeat; content: "→" / ""; content: attr(data-x)
content: counters(a, ".") " "; list-style: "– "; counter-reset: a 1 b; columns: 2 20em; column-rule: 1px solid red
break-inside: avoid; fill: currentColor; stroke-dasharray: 5, 10; -webkit-text-fill-color: transparent; all: unset
-webkit-mask: alpha
`;
const declarations = valid.split(/;\s(?!else)|\n/).filter((each) => each !== '');

test.each(declarations)('browsers know %s', (declaration) => {
  const [property = '', ...rest] = declaration.split(': ');
  expect(reasonIgnored(property, rest.join(': '))).toBeUndefined();
});

test.each<[property: string, value: string, reason: RegExp]>([
  ['color', '', /^the value is not complete/],
  ['color', 'rgb(0, 0)', /^the value is not complete/],
  ['color', 'rgba(0, 0, 0, 0,5)', /^`0,5` has a comma: write `0.5`/],
  ['color', 'rgbb(0 0 0)', /^`rgbb\(…\)` is not a function of CSS: did you mean `rgb\(\)`\?/],
  ['color', 'rgb(0 0 0 50%)', /^`50%` is not allowed at that place/],
  ['color', 'ffffff80', /^`ffffff80` has no `#`: write `#ffffff80`/],
  ['border', '1px soild red', /^`soild` is not a value of `border`: did you mean `solid`\?/],
  ['border', '1px solid 333', /^`333` has no `#`: write `#333`/],
  ['border', '1px solid var(--x, #12345)', /^`#12345` is not a color/],
  ['background', '#fff no-repeat cneter', /did you mean `center`/],
  ['background', 'logo.png', /^pages load no images/],
  ['padding', '1px 2px 3px 4px 5px', /^`5px` is not allowed at that place/],
  ['padding', '-5px', /^`-5px` is not a value of `padding`/],
  ['margin', '0 10 0 20', /^`10` has no unit: write `10px`/],
  ['margin', '0 1,5em', /^`1,5` has a comma: write `1.5`/],
  ['gap', '1rem, 2rem', /^`,` is not allowed at that place/],
  ['width', '100pixel', /^`100pixel` has an unknown unit: write `100px`/],
  ['width', '100 %', /^`100 %` has a space before its unit: write `100%`/],
  ['opacity', '50 %', /^`50 %` has a space before its unit: write `50%`/],
  ['width', 'calc(100% -10px)', /^a `\+` or `-` in `calc\(\)` needs a space/],
  ['line-height', '1,5', /^`1,5` has a comma: write `1.5`/],
  ['font', 'bold 16px', /^the value is not complete/],
  ['font-weight', '450px', /^`450px` is not a value of `font-weight`/],
  ['text-align', 'middle', /^`middle` is not a value here: write `center`/],
  ['vertical-align', 'center', /^`center` is not a value here: write `middle`/],
  ['text-align', '"center"', /^`"center"` has quotes: write `center`/],
  ['text-align', 'center center', /^`center` is not allowed at that place/],
  ['text-decoration', 'underlined', /did you mean `underline`/],
  ['flex-direction', 'colum', /did you mean `column`/],
  ['z-index', '1.5', /^`1.5` is not a value of `z-index`/],
  ['box-shadow', '0 0 5 red', /^`5` has no unit: write `5px`/],
  ['border-radius', '5px 5', /^`5` has no unit: write `5px`/],
  ['aspect-ratio', '16:9', /^`:` is not allowed at that place/],
  ['transform', 'rotate(45)', /^`45` has no unit: write `45deg`/],
  ['transition', 'all 0.3', /^`0.3` has no unit: write `0.3s`/],
  ['transition', 'opacity 0.3s eas', /did you mean `ease`/],
  ['grid-template-columns', 'repeat(2, minmax(200, 1fr))', /^`200` has no unit: write `200px`/],
])('browsers ignore %s: %s', (property, value, reason) => {
  expect(reasonIgnored(property, value)).toMatch(reason);
});

test.each<[query: string, reason: RegExp | undefined]>([
  ['((hover) or (pointer: coarse)) and (width > 30em)', undefined],
  ['screen and (min-width: calc(100px + 2em)), not print and (color)', undefined],
  ['(min-width: 0)', undefined],
  ['screen and max-width: 600px', /write each condition in brackets/],
  ['(min-width: 400px) (max-width: 600px)', /`and`, `or` or a comma between them/],
  ['(min-width: 400px) && (max-width: 600px)', /`and`, `or` or a comma between them/],
  ['(max-width: 600pixel)', /`600pixel` is not a length/],
  ['(max-width: 600 px)', /`600 px` is not a length/],
])('the media query %s', (query, reason) => {
  const found = ignoredWarnings(`@media ${query} { @supports (display: grid) { a { margin: 0 } } }`, '/css');
  expect(found.map(({ message }) => message)).toEqual(reason ? [expect.stringMatching(reason)] : []);
});

test('pseudo-classes and elements that are new are known', () => {
  const css = 'details::details-content, select:open::picker(select), a::scroll-marker, ul::column { margin: 0 }';
  expect(ignoredWarnings(css, '/css')).toEqual([]);
});
