import { journeyPath } from '../../domain/journeys/journey.ts';
import { type Child, type Html, html } from '../html.ts';
import { canType } from '../page-script.ts';
import type { Words } from '../words/words.ts';
import type { JourneyPageInput } from './input.ts';
import { proofUrl } from './personal.ts';

type Proved = Pick<JourneyPageInput, 'journey' | 'proofLeft' | 'identityNeed'>;

/**
 * Attributes of `main`, with which the script hides the page when the proof of identity ends: the seconds until then, and
 * the URL of the page. They are seconds and no time, because the clock of the device can be wrong.
 * @param page its id, or the name of the ending
 */
export const proofEnd = ({ journey, proofLeft, identityNeed }: Proved, page: string): Child =>
  proofLeft !== undefined &&
  identityNeed !== undefined &&
  html` data-left="${Math.ceil(proofLeft / 1000)}" data-own="${journeyPath(journey.slug)}?page=${page}"`;

/**
 * What replaces the whole page when the proof ends while the person has typed something. A page that does not use the
 * proof has it too, because the script then shows what the person answered with the proof.
 */
export function endedPage(input: JourneyPageInput, body: Html, words: Words): Child {
  if (input.proofLeft === undefined || !canType(String(body))) return undefined;
  return html`
<template id="ended"><div class="frame body"><main id="main"><div class="sheet"><div class="stage ended"><h1 tabindex="-1">${words.text('personal')}</h1><p>${words.text('personal_ended')}</p><p class="call"><a class="button" href="${proofUrl(input)}" target="_blank">${words.text('personal_show')} ${words.text('channel_new_tab')}</a></p></div></div></main></div></template>`;
}

/**
 * Hides the page when the proof ends, also after the device slept, and when the browser shows a page that it kept. The
 * page is loaded again. If the person has typed something, everything but a notice is removed; what was typed is kept
 * in memory and is put back when the person returns to the tab with a new proof. A refused form has it as its default.
 * The end is computed as soon as the page is loaded or renewed, because the device may sleep in the next second.
 */
export const proofScript = `const watched=()=>document.querySelector("[data-left]");
const entered=()=>find(".faults,.unanswered")?fields(document):typedIn(document,0);
const hide=at=>{
const own=at.dataset.own,notice=document.querySelector("#ended"),typed=notice?entered():[];
document.body.replaceChildren(...notice&&typed.length?[notice.content]:[]);
if(!typed.length)return location.replace(own);
const heading=document.querySelector("h1");
document.title=heading.textContent;
heading.focus();
const back=()=>document.visibilityState==="visible"&&fetch(own).then(answer=>answer.text()).then(text=>{
const fresh=parsed(text);
if(!fresh.querySelector("[data-left]")||watched())return;
document.removeEventListener("visibilitychange",back);
document.title=fresh.title;
document.body.replaceChildren(...fresh.body.children);
restore(document,typed);
for(const field of typedIn(document,0))field.closest("details")?.setAttribute("open","");
}).catch(()=>{});
document.addEventListener("visibilitychange",back);
};
const check=event=>{
const at=watched();
if(at&&(event?.persisted||Date.now()>=(at.dataset.end||=Date.now()+at.dataset.left*1e3)))hide(at);
};
setInterval(check,1e3);
document.addEventListener("visibilitychange",check);
addEventListener("pageshow",check);
new MutationObserver(()=>check()).observe(document.body,{childList:true,subtree:true});
check();
`;
