import { raw } from 'hono/html';
import type { LinkedContent } from '../../lib/domain/campaigns/link.ts';
import { type Html, html } from '../../lib/web/html.ts';
import { missingForChannels, whyClosed, whyHidden } from '../warnings/visibility.ts';
import type { PlacedDetail, PreviewedContent } from './content.ts';
import { languagesOf, states } from './views.ts';

/** The page with the list of pages and states, the frames of a phone and a desktop, and the warnings. */
export function shell(file: string, shown: PreviewedContent, token: string): string {
  const { content, errors, warnings, isStale, version } = shown;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Preview of ${file}</title><meta name="viewport" content="width=device-width,initial-scale=1">
<style>${raw(css)}</style></head><body>
<nav aria-label="Pages"><h1>${file}</h1>${content ? [...content.templates.map(templateLinks), channelLinks(content)] : ''}</nav>
<main><div class="bar"><label><input type="checkbox" id="dark"> Dark</label> <label><input type="checkbox" id="edit"> Edit texts</label> <a id="open" target="_blank">Open alone</a></div>
${isStale && html`<p class="state" role="status">The file has errors. These pages are the last without any.</p>`}<p class="state" id="failed" role="alert"></p>
<div class="frames"><figure><figcaption>Phone</figcaption><iframe class="phone" title="Phone" name="phone"></iframe></figure><section id="fields" aria-label="Page and campaign" hidden></section>
<figure class="wide"><figcaption>Desktop</figcaption><div class="scaled"><iframe class="desktop" title="Desktop" name="desktop"></iframe></div></figure></div></main>
<aside aria-label="Errors and warnings" data-errors="${errors.length}" data-warnings="${warnings.length}">${list('Errors', errors)}${list('Warnings', warnings)}${errors.length + warnings.length === 0 && html`<p>No errors and no warnings.</p>`}</aside>
<script>${raw(`const token="${token}",version="${version}";${fields}${editing}${script}`)}</script></body></html>`.toString();
}

function templateLinks(template: LinkedTemplate, index: number): Html {
  const languages = languagesOf(template);
  const pages = template.template_pages.filter(({ page }) => !page.is_archived);
  const address = (state: string, page?: string) =>
    `/t/${index}/${encodeURIComponent(state)}/LANGUAGE${page ? `?page=${page}` : ''}`;
  const link = (state: string, text: string, page?: string, hidden?: string) =>
    html`<li><a href="${address(state, page)}">${text}</a>${note('Not shown', hidden)}</li>`;
  const ofPages = (state: string) => pages.map(({ page }) => link(state, titleOf(page), page.id, whyHidden(page)));
  return html`<section data-languages="${languages.join(' ')}"><h2>${template.name ?? 'Untitled'}</h2>${note('Journeys are not open', whyClosed(template))}<p>${languages.map((tag, at) => html`<label><input type="radio" name="language-${index}" value="${tag}"${at === 0 && html` checked`}> ${tag}</label> `)}</p>
<h3>Pages</h3><ul>${ofPages('new')}</ul><h3>Answered</h3><ul>${ofPages('answered')}${link('answered', 'Ending', 'ending')}</ul>
<h3>Before the proof of identity</h3><ul>${ofPages('before the proof')}</ul>
<h3>A form that could not be sent</h3><ul>${ofPages('not sent')}</ul>
<h3>Other states</h3><ul>${states.slice(4).map((state) => link(state, state))}</ul></section>`;
}

type LinkedTemplate = LinkedContent['templates'][number];
type LinkedPage = LinkedTemplate['template_pages'][number]['page'];

const titleOf = ({ navigation_title, content_name }: LinkedPage): string =>
  navigation_title ?? content_name ?? 'Untitled';

/** What people do not see, although the preview shows it. */
const note = (what: string, reason: string | undefined) =>
  reason !== undefined && html`<p class="state">${what}: ${reason.replaceAll('`', '')}</p>`;

function whyNotInChannel(template: LinkedTemplate, page: LinkedPage): string | undefined {
  const missing = missingForChannels(template);
  const ofCampaign = missing && `the \`${missing.field}\` of the campaign is not ${missing.value}`;
  const ofPage = page.exclude_from_cce ? 'channels leave the page out (`exclude_from_cce`)' : undefined;
  return whyClosed(template) ?? ofCampaign ?? whyHidden(page) ?? ofPage;
}

const channelLinks = ({ engagement_channels, templates }: LinkedContent): Html[] =>
  engagement_channels.map((channel, at) => {
    const places = templates.flatMap((template, index) =>
      template.template_pages
        .filter(({ page }) => page.content_containers.some((each) => each.engagement_channel_id === channel.id))
        .map(
          ({ page }) =>
            html`<li><a href="/c/${at}/${index}/${page.id}/LANGUAGE">${titleOf(page)}</a>${note('Not shown', whyNotInChannel(template, page))}</li>`,
        ),
    );
    return html`<section><h2>Channel: ${channel.name ?? 'Untitled'}</h2><ul>${places}<li><a href="/c/${at}/0/default/LANGUAGE">Default content</a></li></ul></section>`;
  });

const list = (title: string, details: readonly PlacedDetail[]) =>
  details.length > 0 &&
  html`<h2>${title} (${details.length})</h2><ul>${details.map(
    ({ path, message, line, page }) =>
      html`<li>${line !== undefined && html`<b>Line ${line}${page !== undefined && `, ${page}`}:</b> `}<code>${path}</code> ${message}</li>`,
  )}</ul>`;

const css = `*{box-sizing:border-box}body{margin:0;height:100vh;display:grid;grid-template:1fr auto/17rem 1fr;font:14px/1.45 system-ui,sans-serif;color:#1b222c;background:#e9ecf1}
nav{grid-row:1/3;overflow:auto;background:#fff;padding:1rem;border-right:1px solid #d4d9e0}h1{font-size:1rem;margin:0 0 1rem;overflow-wrap:anywhere}h2{font-size:.95rem;margin:1.2rem 0 .3rem}h3{font-size:.8rem;margin:.8rem 0 .2rem;color:#525c69}
ul{list-style:none;margin:0;padding:0}.state{margin:0 .5rem .3rem;color:#8a2f00;font-size:.85rem}nav a{display:block;padding:.3rem .5rem;border-radius:6px;color:#1f4e79;text-decoration:none}nav a[aria-current]{background:#1f4e79;color:#fff}
main{overflow:auto;padding:.6rem 1rem}.bar{display:flex;gap:1.2rem}.frames{display:flex;flex-wrap:wrap;gap:1.2rem;align-items:flex-start}figure{margin:.6rem 0}figcaption{font-weight:600;margin-bottom:.3rem}
iframe{border:1px solid #b9c1cc;background:#fff}.phone{width:390px;height:780px;border-radius:22px}.wide{flex:1 1 420px;max-width:820px;container-type:inline-size}.scaled{height:calc(100cqw*.952);overflow:hidden}.desktop{width:1280px;height:1219px;transform:scale(tan(atan2(100cqw,1280px)));transform-origin:0 0;border-radius:10px}
#fields{width:15rem}#fields label{display:block;margin-bottom:.6rem}#fields :is(input,textarea){display:block;width:100%;font:inherit;padding:.3rem}#fields input[type=color]{height:2rem}#fields button{font:inherit;margin:0 .4rem .4rem 0}
aside{max-height:30vh;overflow:auto;background:#fff;border-top:1px solid #d4d9e0;padding:.6rem 1rem}aside h2{margin-top:.3rem}aside code{color:#8a2f00}`;

/**
 * Outlines the texts of a frame that can be changed, by the marks of `edit.ts`. A click opens a field over the text as it
 * is in the file, with its placeholders. Leaving the field saves it, Escape does not.
 */
const editing = `const offer=page=>{
const list=page.querySelector("#edits"),edits=list?JSON.parse(list.textContent):{};
if(page===frames[0].contentDocument)offerFields(edits);
if(!list)return;
const{texts}=edits;
const nodes=[],walker=page.createTreeWalker(page.body,NodeFilter.SHOW_TEXT);
while(walker.nextNode())nodes.push(walker.currentNode);
for(const node of nodes){
const [mark]=node.data.match(/[\\u{e0100}-\\u{e01ef}]{2}/u)||[];
if(!mark)continue;
const [high,low]=[...mark].map(each=>each.codePointAt(0)-0xe0100);
node.data=node.data.replaceAll(/[\\u{e0100}-\\u{e01ef}]/gu,"");
node.parentElement.dataset.text=high*200+low;
}
const style=page.createElement("style");
style.textContent="[data-text]{outline:2px dashed #b4500a;outline-offset:3px;cursor:text}.writes{position:absolute;z-index:99;font:16px/1.5 system-ui;padding:.4rem;border:2px solid #b4500a;background:#fff;color:#111}";
page.head.append(style);
page.addEventListener("click",event=>{
const at=event.target.closest("[data-text]");
if(!at)return;
event.preventDefault();event.stopPropagation();
write(page,at,texts[at.dataset.text]);
},true);
};
const write=(page,at,{path,text})=>{
const box=at.getBoundingClientRect(),field=page.createElement("textarea"),view=page.defaultView;
field.className="writes";field.value=text;field.setAttribute("aria-label","Text");
const width=Math.min(Math.max(box.width,240),view.innerWidth-16);
Object.assign(field.style,{left:Math.max(8,Math.min(box.left,view.innerWidth-width-8))+"px",top:box.top+view.scrollY+"px",width:width+"px",height:Math.max(box.height,72)+"px",maxWidth:"none",margin:0});
page.body.append(field);field.focus();
const leave=()=>{
field.remove();
if(field.value.trim()===""||field.value===text)return;
send({path,before:text,text:field.value});
};
field.addEventListener("blur",leave,{once:true});
field.addEventListener("keydown",event=>{
if(event.key==="Escape"){field.value=text;field.blur()}
if(event.key==="Enter"&&(event.ctrlKey||event.metaKey))field.blur();
});
};
`;

/** The fields beside the page, which are saved when they are left, and what can be done with the page. */
const fields = `const fields=document.querySelector("#fields");
const send=change=>fetch("/edits",{method:"POST",keepalive:true,headers:{"x-preview-token":token},body:JSON.stringify(change)}).then(async response=>{if(!response.ok)throw new Error(await response.text())}).catch(({message})=>document.querySelector("#failed").textContent="It was not saved: "+message);
const made=(name,properties)=>Object.assign(document.createElement(name),properties);
const offerFields=({fields:list=[],page})=>{
fields.hidden=list.length===0&&!page;
const acts=page?[["up","Move up"],["down","Move down"],["copy","Add a copy"]]:[];
fields.replaceChildren(...acts.map(([act,textContent])=>made("button",{textContent,onclick:()=>{location.hash=encodeURIComponent(chosenLink().getAttribute("href"));send({page,act,version})}})),...list.map(({label,path,text,is,color})=>{
const line=made("label",{textContent:label});
line.append(made(is==="text"?"textarea":"input",{...(color?{type:"color"}:{}),ariaLabel:label,defaultValue:color||text,onchange:event=>{
event.stopPropagation();
const{target}=event;
target.defaultValue=target.value;
if(is!=="text"||target.value.trim())send({path,before:text,text:target.value});
}}));
return line;
}));
};
`;

/**
 * Shows the chosen page in both frames, also if a link of a page was followed in one of them, and loads everything again
 * when the file changes, but not while a text is being written. The page stays in the URL.
 */
const script = `const[links,frames]=["nav a","iframe"].map(each=>[...document.querySelectorAll(each)]),[dark,edit]=["#dark","#edit"].map(each=>document.querySelector(each));
const chosenLink=()=>links.find(link=>link.getAttribute("href")===decodeURIComponent(location.hash.slice(1)))||links[0];
const choose=link=>{location.hash=encodeURIComponent(link.getAttribute("href"));show()};
const show=()=>{
const chosen=chosenLink();
if(!chosen)return;
for(const link of links)link.toggleAttribute("aria-current",link===chosen);
const picked=chosen.closest("section").querySelector("input:checked"),tag=picked?picked.value:document.querySelector("nav input:checked")?.value||"en";
const address=chosen.getAttribute("href").replace("LANGUAGE",tag),url=address+[dark,edit].filter(each=>each.checked).map((each,at)=>(at||address.includes("?")?"&":"?")+each.id+"=1").join("");
for(const frame of frames)frame.src=url;
document.querySelector("#open").href=url;
};
for(const link of links)link.addEventListener("click",event=>{event.preventDefault();choose(link)});
for(const frame of frames)frame.addEventListener("load",()=>{
// The site of a link that was followed has another origin and cannot be read.
if(!frame.contentDocument)return;
offer(frame.contentDocument);
const{pathname,search}=frame.contentWindow.location,page=new URLSearchParams(search).get("page");
const address=pathname.replace(/[^/]*$/,"LANGUAGE")+(page?"?page="+page:"");
const link=links.find(each=>each.getAttribute("href")===address);
if(link&&link!==chosenLink())choose(link);
});
document.addEventListener("change",()=>{sessionStorage.chosen=JSON.stringify([dark.checked,edit.checked,...[...document.querySelectorAll("nav input:checked")].map(input=>input.name+"="+input.value)]);show()});
const [isDark,isEdited,...chosen]=JSON.parse(sessionStorage.chosen||"[false,false]");
dark.checked=isDark;edit.checked=isEdited;
for(const input of document.querySelectorAll("nav input"))if(chosen.includes(input.name+"="+input.value))input.checked=true;
show();
new EventSource("/events?version="+version).onmessage=()=>{
const isWriting=()=>[...document.querySelectorAll("#fields :is(input,textarea):focus")].some(field=>field.value!==field.defaultValue)||frames.some(frame=>frame.contentDocument?.querySelector(".writes"));
const load=()=>isWriting()?setTimeout(load,200):location.reload();
load();
};`;
