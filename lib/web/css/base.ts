import { inOneLine } from './text.ts';

/** The layout of every page. Colors and fonts come from the theme's custom properties. */
const source = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--ground);color:var(--on-ground);font:400 var(--size,17px)/1.6 var(--body-font);-webkit-font-smoothing:antialiased;overflow-wrap:anywhere}
h1,h2,h3{font-family:var(--heading-font);font-weight:700;line-height:1.18;letter-spacing:-.018em;text-wrap:balance;margin:0}
h2{font-size:clamp(1.55rem,1.2rem + 1.5vw,2.15rem)}
:where(.heads~.block:not(.heads)) h2{font-size:1.35rem}
p{margin:0 0 1em;text-wrap:pretty}p:last-child{margin-bottom:0}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:.07em}
img{max-width:100%;height:auto;display:block}
:focus-visible{outline:3px solid var(--link);outline-offset:3px;border-radius:4px}
:lang(ar) :is(h1,h2,h3),:lang(ar) .brand{letter-spacing:0}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.lead{font-size:clamp(1.02em,.96em + .35vw,1.12em);line-height:1.55;color:var(--soft)}
.prose{max-width:62ch}
h2+.prose,h2+.lead,h2+section,h2+.document{margin-top:.8rem}
.caption,.note,small{font-size:.84em;line-height:1.5;color:var(--soft)}
.block{grid-column:1/-1;min-width:0;hyphens:auto;hyphenate-limit-chars:12 5 4}.block bdi{hyphens:manual}
.button,.quiet{display:inline-flex;align-items:center;justify-content:center;min-height:3rem;padding:.7rem 1.2rem;border:1px solid var(--soft);border-radius:var(--radius,8px);background:var(--surface);color:var(--link);font:inherit;font-weight:600;line-height:1.25;text-align:center;text-decoration:none;cursor:pointer}
.quiet:hover{background:var(--tint)}
.button{padding-inline:1.6rem;border-color:transparent;background:var(--primary);color:var(--on-primary);transition:box-shadow .15s}
.button:hover{box-shadow:0 6px 18px -8px var(--primary)}
.button:active,.quiet:active{opacity:.7}
.plain{display:inline-flex;align-items:center;min-height:2.75rem;color:var(--link);font-weight:600}
.stage{contain:layout paint;container-type:inline-size;color:var(--text)}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}*,*::before,*::after{transition:none!important;animation:none!important}}
`;

/** The journey's frame: the institution, the card and the footer. */
const frame = `
body{display:flex;flex-direction:column;min-height:100vh;min-height:100dvh}
.skip{position:absolute;inset-inline-start:1rem;top:-4rem;z-index:9;background:var(--surface);color:var(--link);padding:.6rem 1rem;border-radius:0 0 8px 8px}
.skip:focus{top:0}
.frame{width:100%;max-width:72rem;margin:0 auto;padding:0 clamp(1rem,4vw,2.5rem)}
.top{background:var(--surface);color:var(--text);border-bottom:1px solid var(--line);border-top:4px solid var(--primary)}
.top .frame{padding-block:clamp(.5rem,1.6vw,1rem)}
h1{font-size:clamp(1.08rem,.9rem + .9vw,1.55rem)}
.body{flex:1 0 auto;align-content:start;display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem;padding-block:clamp(.9rem,3vw,2.5rem) 3rem}
@media (max-width:767px){.body.with-steps{gap:0;padding-top:0}}
.sheet{--edge:clamp(1.4rem,4.5vw,3.25rem);background:var(--surface);color:var(--text);border:1px solid var(--line);border-radius:16px;box-shadow:0 1px 2px rgb(0 0 0/.04),0 18px 40px -28px rgb(0 0 0/.28);overflow:hidden}
.stage{padding:var(--edge)}
.bottom{border-top:1px solid var(--line);font-size:.86rem;color:var(--on-ground)}
.bottom .frame{padding-block:1.5rem 2.5rem;display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:.6rem 2rem}
.bottom a{color:inherit}.bottom li a{display:inline-flex;align-items:center;min-width:2.75rem;min-height:2.75rem}
.bottom>*>ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:0 1.25rem}
.bottom p{max-width:62ch}
@media print{.steps,.onward,.skip{display:none}.top{border-top:0}.sheet{box-shadow:none;border:0}}
`;

const notice = `
.notice{min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1.5rem}
.notice main{max-width:34rem;background:linear-gradient(var(--primary) 5px,var(--surface) 0);color:var(--text);border:1px solid var(--line);border-radius:14px;padding:clamp(1.6rem,5vw,3rem);box-shadow:0 18px 40px -28px rgb(0 0 0/.28)}
.notice .reach{margin-top:1.6rem;padding-top:1.2rem;border-top:1px solid var(--line)}.notice .reach h2{font-size:1.05rem;margin-bottom:.4rem}
.notice h1{font-size:clamp(1.5rem,1.2rem + 1.6vw,2rem);margin-bottom:.8rem}.notice .brand+h1{margin-top:1rem}.notice .call{margin-top:1.5rem}
@media (max-height:400px){.notice{padding:0;place-items:stretch}.notice main{max-width:none;border:0;border-radius:0;box-shadow:none;padding:1rem}.notice h1{font-size:1.15rem}.notice p{font-size:.94rem}}
`;

/** The page of a completed journey. */
const ending = `
.ending{display:grid;gap:2rem}.ending h2{margin-bottom:.6rem;color:var(--text)}.ending .lead{position:relative;padding-top:4.5rem}.ending .lead::before{content:"";position:absolute;top:0;inset-inline-start:0;width:3.4rem;height:3.4rem;border-radius:50%;background:var(--primary)}.ending .lead::after{content:"";position:absolute;top:.8rem;inset-inline-start:1.3rem;width:.8rem;height:1.4rem;border:solid var(--on-primary);border-width:0 .22rem .22rem 0;transform:rotate(42deg)}.ending h3{font-size:1.16rem;margin-bottom:.6rem}.ending .call{margin:1rem 0}
.achieved{list-style:none;margin:0;padding:0}.achieved a{display:inline-flex;align-items:center;min-height:2.75rem}.achieved li{padding-inline-start:1.8em;position:relative}.achieved li::before{content:"";position:absolute;inset-inline-start:.3em;top:.65rem;width:.55em;height:.95em;border:solid var(--link);border-width:0 .16em .16em 0;transform:rotate(42deg)}
.achieved .statement{margin:.3rem 0}.achieved .given{margin:.3rem 0 .8rem}.achieved small{display:block;margin-bottom:.8rem}
.narrow{width:100%;max-width:40rem;margin-inline:auto}
`;

export const contentCss = inOneLine(source);
export const frameCss = inOneLine(frame);
export const endingCss = inOneLine(ending);
export const noticeCss = inOneLine(notice);
