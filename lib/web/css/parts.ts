import { inOneLine } from './text.ts';

const introductions = `
.intro{border-bottom:1px solid var(--line);padding-bottom:2rem;margin-bottom:2rem}
.intro h2{font-size:clamp(1.9rem,1.4rem + 2.4vw,2.9rem)}
`;
const grids = `
.grid{display:grid;grid-template-columns:repeat(12,minmax(0,1fr));gap:1.5rem min(1.75rem,5%);align-items:start}
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
/** A value that does not fit beside its label is below it, and starts where the label starts. */
const terms = `
.terms{margin:0;max-width:40rem}:is(h2,.prose)+.terms{margin-top:.6rem}
.terms div{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 1.5rem;padding:.5rem 0}
.terms dt,.terms dd{min-width:0}
.terms div+div{border-top:1px solid var(--line)}
.terms dt{flex:auto;color:var(--soft)}
.terms dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums}
`;
const documents = `
:where(.prose)+.document{margin-top:.5rem}
.document a{display:inline-flex;align-items:center;gap:.55em;min-height:2.75rem;font-weight:600}
.document a::before{content:"";flex:none;width:1em;height:1.2em;border:.12em solid;border-radius:.14em;background:linear-gradient(currentColor,currentColor) 50% 38%/50% .1em no-repeat,linear-gradient(currentColor,currentColor) 50% 66%/50% .1em no-repeat}
`;
const calls = '.call{display:flex;flex-wrap:wrap;gap:.75rem;margin:0}';
const callNotes = '.call .note{flex:1 1 100%;margin:0}';
const wideOnPhones =
  '@media (max-width:479px){.completion>.button,.completion>.quiet,.call>*,.call .completion{flex:1 1 100%;width:100%}}';
const inputs = `
input[type=text],input[type=number],input[type=date],textarea{display:block;width:100%;max-width:26rem;margin-top:.4rem;padding:.75rem .9rem;min-height:3rem;border:1px solid var(--soft);border-radius:8px;background:var(--surface);color:var(--text);font:inherit}
`;
const unsent = '.unsent,.unanswered{margin:.8rem 0 0;color:var(--fault);font-weight:600}.unsent:empty{display:none}';
const outcomes = `
.outcome,.banner,.told{display:flex;gap:.8rem;align-items:flex-start;background:var(--tint);border:1px solid var(--line);border-inline-start:4px solid var(--primary);border-start-end-radius:8px;border-end-end-radius:8px;padding:1rem 1.2rem;font-weight:550}
.told{background:none;border:0;padding:.2rem 0;font-weight:400;color:var(--soft)}
.page-notes{margin-top:1.75rem;display:grid;gap:.9rem}
.outcome small{display:block;margin-top:.3rem;font-weight:400}.outcome p:has(+small){margin:0}
.outcome::before,.banner::before,.told::before{content:"";flex:none;width:.62em;height:1em;margin:.12em .3em 0;border:solid var(--link);border-width:0 .18em .18em 0;transform:rotate(42deg)}
`;
const consents = `
.statement{border-inline-start:4px solid var(--accent);background:var(--tint);padding:1rem 1.2rem;border-start-end-radius:8px;border-end-end-radius:8px}
.consent>*+*,.consent summary+*{margin-top:1.1rem}
`;
const answers = `
.answer{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.75rem}
.answer .completion{display:contents}
.answer .unsent{flex-basis:100%;margin:0}
`;
const signatures = `
.signature{flex-basis:100%;margin:0 0 .4rem}
.signature small{display:block;margin-top:.45rem;max-width:62ch}
.signature input{font-family:"Snell Roundhand","Segoe Script","Bradley Hand",var(--heading-font);font-size:1.25em;font-style:italic}
.signature label{font-weight:600}
`;
const declines = `
.declined{background:none;font-weight:400;border-inline-start-color:var(--soft)}.declined p{margin:0}
.declined::before{height:.8em;border-color:var(--soft);border-width:0 0 .18em;transform:none}
`;
const contacts = `
.links{list-style:none;margin:0;padding:0}.links a{display:inline-flex;align-items:center;gap:.6em;min-height:2.75rem}
.declined .reach{margin-top:1rem}
`;
const surveys = `
.question{border:0;margin:0;padding:0;min-width:0}.question>label{display:block;font-weight:600}
.survey>*+*,.survey .question+*{margin-top:1.6rem}
.question legend{padding:0;font-weight:600;margin-bottom:.55rem;text-wrap:pretty}
`;
const options = `
.choices{display:grid;gap:.5rem;max-width:40rem}
.choices span{display:flex;justify-content:start;gap:.8rem;padding:.6rem 1rem;line-height:1.35}
.choices span::before{content:"";flex:none;width:1.2rem;height:1.2rem;border:2px solid var(--soft);border-radius:50%}
.choices input:checked+span{background:var(--tint);border-color:var(--primary);color:inherit;box-shadow:inset 0 0 0 1px var(--primary)}
.choices input:checked+span::before{border:.4rem solid var(--primary)}
`;
/** The tick is cut out of the mark. */
const ticks = `
.choices [type=checkbox]+span::before{border-radius:4px}
.choices [type=checkbox]:checked+span::before{border-width:.6rem;clip-path:polygon(evenodd,0 0,100% 0,100% 100%,0 100%,0 0,19% 53%,41% 75%,81% 33%,72% 24%,41% 57%,28% 44%,19% 53%)}
`;
/** Two beside each other on the narrowest phone. The mark and the text are below the picture. */
const pictures = `
.pictures{grid-template-columns:repeat(auto-fill,minmax(min(100%,max(7rem,22%)),1fr));max-width:52rem}
.pictures span{display:grid;grid-template-columns:auto minmax(0,1fr);align-content:space-between;gap:.6rem;height:100%;padding:.6rem}
.pictures img{grid-area:1/1/auto/-1;width:100%;aspect-ratio:3/2;object-fit:contain}
`;
const choices = `
.choice span{display:inline-flex;align-items:center;justify-content:center;min-width:2.85rem;min-height:2.85rem;padding:0 .85rem;border:1px solid var(--soft);border-radius:8px;cursor:pointer}
.choice span:hover{background:var(--tint)}
.choice input{position:absolute;opacity:0;width:1px;height:1px}
.choice input:checked+span{background:var(--primary);border-color:var(--primary);color:var(--on-primary)}
.choice input:focus-visible+span{outline:3px solid var(--link);outline-offset:3px}
`;
/**
 * A scale is one row if all steps have 44 px. Otherwise its rows have the same number of steps, or nearly so, and the last
 * is centered: 11 steps are 6 and 5 on most phones, and 4, 4 and 3 on the narrowest. The width is that of the survey,
 * which can be in a column.
 */
const scales = `
.survey{container-type:inline-size}
.scaled{width:fit-content;min-width:min(100%,16rem);max-width:100%}
.scale{--n:4;--step:min(3.6rem,(100cqi - .2rem*(var(--n) - 1))/var(--n));display:flex;flex-wrap:wrap;justify-content:center;gap:.2rem;width:calc((var(--step) + .2rem)*var(--n) - .17rem);max-width:100%}
.scale .choice span{width:var(--step);min-width:0;padding:0}
`;
const wideScales = '@container (min-width:33rem){.scale{--n:11;width:auto}}';
const ends = `
.ends{display:flex;gap:1.25rem;contain:inline-size;margin-top:.5rem;font-size:.84em;line-height:1.4;color:var(--soft)}
.ends span:not(.unseen){min-width:40%}
.highest{margin-inline-start:auto;text-align:end}
`;
const given = `
.given{margin:1rem 0;display:grid;gap:.6rem}.given dt{font-weight:600}.given dd{margin:0;white-space:pre-line}
.survey details form{margin-top:1.2rem}
`;
/** While an answer is changed, the button of that form is the primary one. */
const details = `
summary{list-style:none}summary::-webkit-details-marker{display:none}
.sheet:has(details[open]) .button.next{border-color:var(--line);background:var(--surface);color:var(--link)}
`;

/** The message of a page whose form was refused. The identity check shows it after its form was sent. */
const refused = `
.faults{border:2px solid var(--fault);border-radius:8px;padding:1rem 1.2rem;margin:0 0 1.8rem}.faults:focus{outline:0}.faults>p{color:var(--fault);font-weight:600}
.faults h2{font-size:1.1rem;margin:0 0 .4rem;letter-spacing:0}.faults ul{margin:0;padding:0;list-style:none}
.faults a{color:var(--fault);font-weight:600;display:inline-flex;align-items:center;min-height:2.75rem;padding:.25rem 0}
`;
const unanswered = '.unanswered{display:block;margin:.2rem 0}input[aria-invalid]{border:2px solid var(--fault)}';
const unansweredQuestions = `
.question .unanswered{margin-bottom:.55rem}textarea[aria-invalid],[aria-invalid] .choice span{border:2px solid var(--fault)}
`;

/** The ways to the identity check. The bar also appears when the proof expires. */
const proofs = `
.proof-first{flex:1 1 100%;display:grid;gap:.9rem;justify-items:start;padding:1.1rem 1.2rem;border:1px solid var(--line);border-radius:8px;background:var(--tint)}
.proof-first p{position:relative;margin:0;padding-inline-start:1.8em}.proof-first p::before,.proof-first p::after{content:"";position:absolute;inset-inline-start:.1em;top:.65em;width:1em;height:.75em;border-radius:.12em;background:linear-gradient(currentColor,currentColor);box-shadow:inset 0 0 0 1em}
.proof-first p::after{inset-inline-start:.27em;top:.2em;width:.66em;height:.6em;border:.13em solid;border-bottom:0;border-radius:.33em .33em 0 0;background:none;box-shadow:none}
.block:has(.proof-first)~.block .proof-first .button{display:none}
`;
const personal = `
.personal{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.75rem 1.25rem;padding:1rem var(--edge);background:var(--tint);border-bottom:1px solid var(--line);font-size:.93em;overflow-wrap:break-word}
.personal p{margin:0;flex:1 1 18rem}
.personal.shown{flex-wrap:nowrap;gap:.75rem;padding-block:0;font-size:.8em;line-height:1.3}.shown p{flex-basis:0}.shown .quiet{min-height:2.75rem;padding:0 .4rem;border:0;background:none;text-decoration:underline}
`;
const brands = `
.brand{margin:0;font-size:.82rem;font-weight:600;letter-spacing:.045em;color:var(--soft)}
.brand+h1{margin-top:.15rem}
`;
/** The height of a logo is fixed, so that nothing moves when it has loaded. */
const logos = `
.logo{height:2.25rem;width:auto;max-width:min(14rem,60vw);object-fit:contain}
.brand:has(.logo)+h1{margin-top:.5rem}
`;
const progress = `
.top:has(.progress){border-bottom:0}
.progress{display:block;width:100%;height:4px;background:var(--line)}.progress rect{fill:var(--link);transition:width .5s}
[dir=rtl] .progress{transform:scaleX(-1)}
`;
const onward = `
.onward{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem 1.5rem;padding:0 var(--edge) var(--edge)}
.onward .plain{margin-block:calc(var(--edge) * -.15)}
.onward .button{overflow-wrap:break-word;min-width:0}
@media (max-width:479px){.onward .button{flex:1 1 100%}}
`;
const saved = `
.saved{display:flex;flex-wrap:wrap;align-items:center;gap:0 .8rem;margin:0 0 1.2rem;padding-bottom:.4rem;border-bottom:1px solid var(--line);font-size:.93em}.saved:focus{outline:0}
.saved::before{content:"";flex:none;width:.5em;height:.85em;margin:-.2em .1em 0;border:solid var(--link);border-width:0 .16em .16em 0;transform:rotate(42deg)}
.saved span{flex:0 1 auto;min-width:0}.saved a{display:inline-flex;align-items:center;min-height:2.75rem}
`;
const steps = `
.steps{min-width:0}
.steps ol{list-style:none;margin:0;padding:0 0 .75rem;display:grid;gap:.1rem}
.steps summary{display:flex;align-items:center;gap:.6rem;min-height:2.75rem;padding:.4rem 0;font-weight:650;line-height:1.25;cursor:pointer}
.steps summary::after{content:"";flex:none;width:.5em;height:.5em;margin-top:-.25em;border:solid;border-width:0 .14em .14em 0;transform:rotate(45deg)}.steps [open] summary::after{margin-top:.2em;transform:rotate(225deg)}
.steps a{display:flex;align-items:center;gap:.8rem;min-height:2.75rem;padding:.2rem;border-radius:999px;color:var(--on-ground);text-decoration:none;line-height:1.3}
.steps i{font-style:normal;flex:none;display:grid;place-items:center;width:2.3rem;height:2.3rem;border:2px solid var(--line);border-radius:50%;background:var(--surface);color:var(--text);font-size:.9rem;font-weight:650}
.steps i:empty::before{content:"";width:.5em;height:.85em;margin-top:-.2em;border:solid;border-width:0 .15em .15em 0;transform:rotate(42deg)}
.steps .done i{background:var(--tint);border-color:var(--primary);color:var(--link)}
.steps [aria-current] i{background:var(--primary);border-color:var(--primary);color:var(--on-primary)}
.steps [aria-current]{font-weight:650}
.steps a:hover span{text-decoration:underline}
@media (min-width:768px){.body.with-steps{grid-template-columns:minmax(11rem,15rem) minmax(0,1fr);gap:2.25rem}.steps{position:sticky;top:1.5rem;align-self:start}.steps ol{gap:.3rem;padding:0}.steps a{border-radius:11px;padding:.4rem .6rem}.steps [aria-current]{background:var(--surface);color:var(--text);box-shadow:inset 0 0 0 1px var(--line)}@supports selector(::details-content){.steps summary{display:none}.steps ::details-content{display:block;content-visibility:visible}}}
`;

/** A page that its script can change. */
const changing = 'class="completion|data-unseen="completes"';
/** A survey that can be sent, which later shows the stored answers. */
const open = 'class="survey".*class="completion"';
/** A survey that can come back with messages: questions are required, or take a limited number of options. */
const demanding = 'class="survey".*(?: required|type="checkbox"|class="unanswered")';
/** An agreement that offers to decline. It later shows that it was declined, and can be changed. */
const declinable = 'value="declined"|class="outcome declined"';

/**
 * The styles of parts of pages, by a regular expression for the HTML that needs them. The script replaces parts of a
 * page and keeps its styles, so they include those of later states.
 */
const parts: readonly [string, string][] = [
  ['<hr', 'hr{border:0;border-top:1px solid var(--line);margin:.5rem 0}'],
  ['class="grid"', grids],
  ['class="stack', '.stack{display:flow-root}.stack>.block+.block{margin-top:1.5rem}'],
  ['class="call"', calls],
  ['class="page-call"', '.page-call{margin-top:1.75rem}.page-call .note{margin-top:.8rem}'],
  ['<input type="(?:text|number|date)"|<textarea', inputs],
  ['<textarea', 'textarea{max-width:40rem}'],
  ['class="unsent"', unsent],
  [`class="(outcome|banner|told)|${changing}`, outcomes],
  ['class="(completion|call)"', wideOnPhones],
  ['class="intro"', introductions],
  ['<figure', figures],
  ['class="card"', cards],
  ['class="terms"', terms],
  ['class="document"', documents],
  ['class="listed"', '.listed{margin:0 0 1em;padding-inline-start:1.4em}.listed:last-child{margin-bottom:0}'],
  ['class="(consent|statement)"', consents],
  ['class="answer"', answers],
  ['class="signature"', signatures],
  [declinable, declines],
  [`class="links"|${declinable}`, contacts],
  ['class="call".*class="note"', callNotes],
  ['class="survey"', surveys],
  ['class="choice"', choices],
  ['type="checkbox"', ticks],
  ['class="choices', options],
  ['class="choices pictures"', pictures],
  ['class="scale ', scales],
  ['of2"', '.of2{--n:2}'],
  ['of[3569]"', '.of3,.of5,.of6,.of9{--n:3}'],
  ['of5"', '@container (min-width:14.6rem){.of5{--n:5}}'],
  ['of(6|9|1.)"', '@container (min-width:17.5rem){.of6,.of11{--n:6}.of9,.of10{--n:5}}'],
  ['class="scale ', wideScales],
  ['class="ends"', ends],
  [`class="given"|${open}`, given],
  [`<details|${declinable}|${open}`, details],
  [`class="(faults|check)"|${demanding}`, refused],
  ['class="unanswered"|class="completion".*(?: required|type="checkbox")', unanswered],
  [demanding, unansweredQuestions],
  ['placeholder=" "', '[dir=rtl] :placeholder-shown{direction:rtl}'],
  ['class="proof-first"', proofs],
  ['class="personal|id="ended"', personal],
  ['id="ended"', '.ended h1{margin-bottom:.7rem;outline:0}'],
  ['class="brand"', brands],
  ['class="logo"', logos],
  ['class="progress"', progress],
  [`class="onward"|${changing}`, onward],
  ['class="steps"', steps],
  ['class="saved"', saved],
];

const inLines = parts.map(([mark, css]) => [new RegExp(mark, 's'), inOneLine(css)] as const);

/** The styles of the parts that this HTML has. Other parts have none, which keeps the document small. */
export const partsCss = (html: string): string => inLines.map(([mark, css]) => (mark.test(html) ? css : '')).join('');
