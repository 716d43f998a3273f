import { inOneLine } from './text.ts';

/** The styles of the identity check. */
const source = `
.asks .sheet{max-width:60rem;margin-inline:auto}
.check [tabindex]:focus{outline:0}
.check form{margin-top:1.8rem}
.check .field{border:0;margin:0 0 1.6rem;padding:0;min-width:0}
.check .field>label,.check legend{display:block;padding:0;font-weight:650}
.check .hint{display:block;font-size:.88em;color:var(--soft);margin:.1rem 0 0}
.check .date{display:flex;flex-wrap:wrap;gap:1rem;margin-top:.5rem}
.check .date label{font-size:.88em}
.check input{width:5.5ch;min-width:4.6rem;font-size:1rem}
.check .long input{width:7.5ch;min-width:6.4rem}.check .field>input{width:12ch}
.check .wrong{border-inline-start:4px solid var(--fault);padding-inline-start:1rem}
.check .wrong input{border:2px solid var(--fault)}
.check .fault{display:block;color:var(--fault);font-weight:600;margin-top:.25rem}
.check .go{display:flex;flex-wrap:wrap;gap:.75rem;margin:0}
.check .reach{margin:1.6rem 0}.check .reach h2{font-size:1.1rem;margin-bottom:.4rem}
.check .note{margin-top:1.8rem}
@media (min-width:900px){.ask{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.25fr);gap:3.5rem}.ask form{margin-top:0}}
@media (max-width:479px){.check .go>*{flex:1 1 100%}}
@media (max-width:399px){.check .date{gap:.5rem}.check .date input{width:3.6rem;min-width:0}.check .date .long input{width:5.4rem}}
`;

export const identityCss = inOneLine(source);
