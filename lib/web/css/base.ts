/** The layout of every page. Colours and fonts come from the theme's custom properties. */
const source = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--ground);color:var(--on-ground);font:400 var(--size,17px)/1.6 var(--body-font);-webkit-font-smoothing:antialiased}
h1,h2,h3{font-family:var(--heading-font);font-weight:700;line-height:1.18;letter-spacing:-.018em;text-wrap:balance;margin:0}
h2{font-size:clamp(1.55rem,1.2rem + 1.5vw,2.15rem)}
:where(.heads~.block:not(.heads)) h2{font-size:1.35rem}
p{margin:0 0 1em}p:last-child{margin-bottom:0}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:.07em}
img{max-width:100%;height:auto;display:block}
hr{border:0;border-top:1px solid var(--line);margin:.5rem 0}
:focus-visible{outline:3px solid var(--link);outline-offset:3px;border-radius:4px}
:lang(ar) :is(h1,h2,h3),:lang(ar) .brand{letter-spacing:0}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;inset-inline-start:1rem;top:-4rem;z-index:9;background:var(--surface);color:var(--link);padding:.6rem 1rem;border-radius:0 0 8px 8px}
.skip:focus{top:0}
.lead{font-size:clamp(1.02em,.96em + .35vw,1.12em);line-height:1.55;color:var(--soft)}
.prose{max-width:62ch}
h2+.prose,h2+.lead,h2+section,h2+.document{margin-top:.8rem}
.caption,.note,small{font-size:.84em;line-height:1.5;color:var(--soft)}
.grid{display:grid;grid-template-columns:repeat(12,minmax(0,1fr));gap:1.5rem min(1.75rem,5%);align-items:start}
.stack{display:flow-root}.stack>.block+.block{margin-top:1.5rem}
.block{grid-column:1/-1;min-width:0;overflow-wrap:break-word}
.button{display:inline-flex;align-items:center;justify-content:center;min-height:3rem;padding:.7rem 1.6rem;border:1px solid transparent;border-radius:var(--radius,8px);background:var(--primary);color:var(--on-primary);font:inherit;font-weight:600;line-height:1.25;text-align:center;text-decoration:none;cursor:pointer;transition:box-shadow .15s}
.button:hover{box-shadow:0 6px 18px -8px var(--primary)}
.quiet,summary{display:inline-flex;align-items:center;justify-content:center;min-height:3rem;padding:.7rem 1.2rem;border:1px solid var(--line);border-radius:var(--radius,8px);background:var(--surface);color:var(--link);font:inherit;font-weight:600;line-height:1.25;cursor:pointer;text-decoration:none}
.quiet:hover,summary:hover{background:var(--tint)}
.button:active,.quiet:active,summary:active{opacity:.7}
.call{display:flex;flex-wrap:wrap;gap:.75rem;margin:0}
input[type=text],textarea{display:block;width:100%;max-width:26rem;margin-top:.4rem;padding:.75rem .9rem;min-height:3rem;border:1px solid var(--soft);border-radius:8px;background:var(--surface);color:var(--text);font:inherit}
textarea{max-width:100%}
.unsent{margin:.8rem 0 0;color:var(--fault);font-weight:600}.unsent:empty{display:none}.unanswered{display:block;margin:.2rem 0;color:var(--fault);font-weight:600}
.outcome,.banner,.told{display:flex;gap:.8rem;align-items:flex-start;background:var(--tint);border:1px solid var(--line);border-inline-start:4px solid var(--primary);border-start-end-radius:8px;border-end-end-radius:8px;padding:1rem 1.2rem;font-weight:550}
.told{background:none;border:0;padding:.2rem 0;font-weight:400;color:var(--soft)}
.page-call,.page-notes{margin-top:1.75rem}.page-notes{display:grid;gap:.9rem}
.outcome small{display:block;margin-top:.3rem;font-weight:400}.outcome::before,.banner::before,.told::before{content:"";flex:none;width:.62em;height:1em;margin:.12em .3em 0;border:solid var(--link);border-width:0 .18em .18em 0;transform:rotate(42deg)}
@media (max-width:479px){.completion>.button,.completion>.quiet,.call>*,.call .completion{flex:1 1 100%;width:100%}}
.stage{contain:layout paint;color:var(--text)}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}*,*::before,*::after{transition:none!important;animation:none!important}}
@media print{.steps,.onward,.skip{display:none}}
`;

const introductions = `
.intro{border-bottom:1px solid var(--line);padding-bottom:2rem;margin-bottom:2rem}
.intro h2{font-size:clamp(1.9rem,1.4rem + 2.4vw,2.9rem)}
`;
const figures = `
figure{margin:0}figure img{width:100%;border-radius:11px}
figcaption.caption{margin-top:.6rem}
`;
const cards = `
.card{background:var(--tint);border:1px solid var(--line);border-radius:11px;padding:1.3rem 1.4rem;height:100%}
.card h2{font-size:1.16rem;letter-spacing:0}
.card h2+.prose{margin-top:.35rem;font-size:.96em}
.grid>.block:has(>.card){align-self:stretch}
`;
const documents = `
.document a{display:inline-flex;align-items:center;gap:.55em;min-height:2.75rem;font-weight:600}
.document a::before{content:"";flex:none;width:1em;height:1.2em;border:.12em solid;border-radius:.14em;background:linear-gradient(currentColor,currentColor) 50% 38%/50% .1em no-repeat,linear-gradient(currentColor,currentColor) 50% 66%/50% .1em no-repeat}
`;
/** The script replaces parts of a page and keeps its styles, so they include those of later states. */
const details = 'summary{list-style:none}summary::-webkit-details-marker{display:none}';
const consents = `
.statement{border-inline-start:4px solid var(--accent);background:var(--tint);padding:1rem 1.2rem;border-start-end-radius:8px;border-end-end-radius:8px}
.answer{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.75rem}
.answer .completion{display:contents}.signature{flex-basis:100%;margin:0 0 .4rem}
.signature small{display:block;margin-top:.45rem;max-width:62ch}
.signature input{font-family:"Snell Roundhand","Segoe Script","Bradley Hand",var(--heading-font);font-size:1.25em;font-style:italic}
.signature label{display:block;font-weight:600}
.consent>*+*,.consent summary+*{margin-top:1.1rem}
.answer .unsent{flex-basis:100%;margin:0}
.declined{background:none;font-weight:400;border-inline-start-color:var(--soft)}.declined p{margin:0}.declined::before{height:.8em;border-color:var(--soft);border-width:0 0 .18em;transform:none}
`;
const surveys = `
.question{border:0;margin:0;padding:0}.question>label{display:block;font-weight:600}.survey>*+*,.survey .question+*{margin-top:1.6rem}.question legend{padding:0;font-weight:600;margin-bottom:.55rem}
.choices{display:flex;flex-wrap:wrap;gap:.5rem}
.given{margin:1rem 0;display:grid;gap:.6rem}.given dt{font-weight:600}.given dd{margin:0;overflow-wrap:anywhere}.survey details form{margin-top:1.2rem}
.choice span{display:inline-flex;align-items:center;justify-content:center;min-width:2.85rem;min-height:2.85rem;padding:0 .85rem;border:1px solid var(--soft);border-radius:8px;cursor:pointer}
.choice span:hover{background:var(--tint)}
.choice input{position:absolute;opacity:0;width:1px;height:1px}
.choice input:checked+span{background:var(--primary);border-color:var(--primary);color:var(--on-primary)}
.choice input:focus-visible+span{outline:3px solid var(--link);outline-offset:3px}
`;

/** The styles of blocks by a regular expression for the HTML of the blocks that need them. */
const ofBlocks: readonly [string, string][] = [
  ['class="intro"', introductions],
  ['<figure', figures],
  ['class="card"', cards],
  ['class="document"', documents],
  ['class="consent"', consents],
  ['class="note"', '.call .note{flex:1 1 100%;margin:0}'],
  ['class="survey"', surveys],
  ['class="(consent|survey)"', details],
];

/** The journey's frame: the institution, the progress, the steps and the footer. */
const frame = `
body{display:flex;flex-direction:column;min-height:100vh;min-height:100dvh}
.frame{width:100%;max-width:72rem;margin:0 auto;padding:0 clamp(1rem,4vw,2.5rem)}
.top{background:var(--surface);color:var(--text);border-bottom:1px solid var(--line);border-top:5px solid var(--primary)}
.top .frame{display:flex;align-items:center;justify-content:space-between;gap:1rem;padding-top:1rem;padding-bottom:1rem}
h1{font-size:clamp(1.2rem,1rem + .9vw,1.55rem)}
.progress{display:flex;align-items:center;gap:.8rem;flex:none;font-size:.86rem;line-height:1.3;color:var(--soft)}
.ring{width:3.4rem;height:3.4rem}.ring text{font-size:9.5px;font-weight:700;fill:var(--text)}
.ring circle{fill:none;stroke-width:4}.ring .track{stroke:var(--line)}.ring .arc{stroke:var(--link);stroke-linecap:round;transition:stroke-dasharray .5s}
.body{flex:1 0 auto;align-content:start;display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem;padding-top:clamp(1.1rem,3vw,2.5rem);padding-bottom:3rem}
.sheet{background:var(--surface);border:1px solid var(--line);border-radius:16px;box-shadow:0 1px 2px rgb(0 0 0/.04),0 18px 40px -28px rgb(0 0 0/.28);overflow:hidden}
.stage{padding:clamp(1.4rem,4.5vw,3.25rem)}
.onward{display:flex;justify-content:space-between;gap:.75rem;padding:1.1rem clamp(1.4rem,4.5vw,3.25rem);border-top:1px solid var(--line);background:var(--tint)}
.onward .quiet{flex:none}.onward .next{flex:0 1 auto;margin-inline-start:auto;padding-inline:1.2rem;text-align:center;overflow-wrap:anywhere}
.steps{min-width:0}
.steps ol{list-style:none;margin:0;padding:.3rem;display:flex;justify-content:space-between;gap:.35rem;overflow-x:auto}
.at{display:none;font-weight:650;margin:0 0 .5rem}
.steps a{display:flex;align-items:center;gap:.8rem;min-height:2.75rem;padding:.2rem;border-radius:999px;color:var(--on-ground);text-decoration:none;line-height:1.3}
.steps i{font-style:normal;flex:none;display:grid;place-items:center;width:2.3rem;height:2.3rem;border:2px solid var(--line);border-radius:50%;background:var(--surface);color:var(--text);font-size:.9rem;font-weight:650}
.steps .done i{background:var(--tint);border-color:var(--primary);color:var(--link)}
.steps [aria-current] i{background:var(--primary);border-color:var(--primary);color:var(--on-primary)}
.steps [aria-current]{font-weight:650}
.steps a:hover span{text-decoration:underline}
.bottom{border-top:1px solid var(--line);font-size:.86rem;color:var(--on-ground)}
.bottom .frame{padding-top:1.5rem;padding-bottom:2.5rem;display:flex;flex-wrap:wrap;gap:.6rem 2rem;justify-content:space-between}
.bottom a{color:inherit}.bottom li a{display:inline-flex;align-items:center;min-width:2.75rem;min-height:2.75rem}
.bottom ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:0 1.25rem}
.bottom p{max-width:62ch}
@media (max-width:767px){.at{display:block}.steps li{flex:1 0 auto;width:min-content;min-width:4.6rem;max-width:9rem}.steps a{flex-direction:column;gap:.3rem;padding:.2rem 0;min-height:2.75rem;border-radius:8px;font-size:.78rem;text-align:center}.steps a>span{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden;max-width:100%;overflow-wrap:break-word}.steps .unseen{inset-inline-start:0}.steps li{position:relative}.progress .words{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.onward .next{flex-grow:1}}
@media (min-width:768px){.body.with-steps{grid-template-columns:minmax(11rem,15rem) minmax(0,1fr);gap:2.25rem}.steps{position:sticky;top:1.5rem;align-self:start}.steps ol{flex-direction:column;overflow:visible;gap:.3rem;padding:0}.steps a{border-radius:11px;padding:.4rem .6rem}.steps [aria-current]{background:var(--surface);color:var(--text);box-shadow:inset 0 0 0 1px var(--line)}}
@media print{.top{border-top:0}.sheet{box-shadow:none;border:0}}
`;

const notice = `
.notice{min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1.5rem}
.notice main{max-width:34rem;background:linear-gradient(var(--primary) 5px,var(--surface) 0);color:var(--text);border:1px solid var(--line);border-radius:14px;padding:clamp(1.6rem,5vw,3rem);box-shadow:0 18px 40px -28px rgb(0 0 0/.28)}
.notice .reach{margin-top:1.6rem;padding-top:1.2rem;border-top:1px solid var(--line)}.notice .reach h2{font-size:1.05rem;margin-bottom:.4rem}.notice .links{list-style:none;margin:0;padding:0}.notice .links a{display:inline-flex;align-items:center;min-height:2.75rem}
.notice h1{font-size:clamp(1.5rem,1.2rem + 1.6vw,2rem);margin-bottom:.8rem}.notice .call{margin-top:1.5rem}
@media (max-height:400px){.notice{padding:0;place-items:stretch}.notice main{max-width:none;border:0;border-radius:0;box-shadow:none;padding:1rem}.notice h1{font-size:1.15rem}.notice p{font-size:.94rem}}
`;

/** The message of a page whose form was refused. */
const refused = `
.faults{border:2px solid var(--fault);border-radius:8px;padding:1rem 1.2rem;margin:0 0 1.8rem}.faults:focus{outline:0}.faults>p{color:var(--fault);font-weight:600}
.faults h2{font-size:1.1rem;margin:0 0 .4rem;letter-spacing:0}.faults ul{margin:0;padding:0;list-style:none}
`;

/** The page of a completed journey. */
const ending = `
.ending{display:grid;gap:2rem}.ending h2{margin-bottom:.6rem;color:var(--text)}.ending .lead::before{content:"\\2713";display:grid;place-items:center;width:3.4rem;height:3.4rem;margin-bottom:1.1rem;border-radius:50%;background:var(--primary);color:var(--on-primary);font-size:1.7rem;line-height:1}.ending h3,.reach h3{font-size:1.16rem;margin-bottom:.6rem}.ending .call{margin:1rem 0}
.achieved,.links{list-style:none;margin:0;padding:0}.achieved a,.links a{display:inline-flex;align-items:center;gap:.6em;min-height:2.75rem}.achieved a::before{content:"\\2713";flex:none;display:grid;place-items:center;width:1.7rem;height:1.7rem;border:2px solid var(--primary);border-radius:50%;color:var(--link);font-weight:650}
`;

const inOneLine = (css: string): string => css.replaceAll('\n', '');

export const contentCss = inOneLine(source);

/** The styles of the blocks in this HTML. Other blocks have none, which keeps the document small. */
export const blockCss = (html: string): string =>
  ofBlocks.map(([mark, css]) => (new RegExp(mark).test(html) ? inOneLine(css) : '')).join('');
export const frameCss = inOneLine(frame);
export const endingCss = inOneLine(ending);
export const refusedCss = inOneLine(refused);
export const noticeCss = inOneLine(notice);
