import { replacing } from '../page-script.ts';

/**
 * Sends the form without leaving the page, so that an error of the network or of the gateway keeps what was typed. A page
 * in the response replaces the content of this one. A wait counts down in hours, minutes and seconds, and at its end the
 * page is loaded again, which then has the questions.
 */
export const identityScript = `(()=>{
${replacing}const count=()=>{
const place=document.querySelector("[data-wait]");
if(!place||place.dataset.wait==="0")return;
const end=Date.now()+place.dataset.wait*1e3;
const two=new Intl.NumberFormat(document.documentElement.lang,{minimumIntegerDigits:2});
const show=()=>{
const left=Math.max(0,Math.ceil((end-Date.now())/1e3));
place.textContent=[Math.floor(left/3600),Math.floor(left/60)%60,left%60].filter((part,at)=>at||part).map(part=>two.format(part)).join(":");
if(left===0){clearInterval(timer);location.replace(location.href)}
};
const timer=setInterval(show,1000);
show();
};
document.addEventListener("submit",async event=>{
const form=event.target;
if(!form.dataset.sending)return;
event.preventDefault();
const button=form.querySelector("button"),note=form.querySelector(".unsent"),label=button.textContent;
button.disabled=true;
button.textContent=form.dataset.sending;
note.textContent="";
try{
const answer=await fetch(form.action,{method:"POST",redirect:"manual",signal:AbortSignal.timeout(2e4),body:new URLSearchParams(new FormData(form))});
if(answer.type==="opaqueredirect"){const page=form.elements.page;location.assign(form.getAttribute("action").replace(/\\/identity$/,"")+(page?"?page="+page.value:""));return}
if(!/^text\\/html/.test(answer.headers.get("content-type")||"")||answer.status>=500)throw new Error(answer.status);
const fresh=parsed(await answer.text());
await released();
document.title=fresh.title;
for(const part of ["header","main"])document.querySelector(part).replaceWith(fresh.querySelector(part));
document.querySelector("[role=alert][tabindex]")?.focus();
count();
}catch{button.disabled=false;button.textContent=label;note.textContent=form.dataset.unsent}
});
count();
})();`;
