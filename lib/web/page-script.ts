/**
 * The script of a page. It reports that the page was seen, and that a call to action was followed, and sends forms
 * without leaving the page. It then loads the changed parts from the server, so that it needs no logic of its own. It
 * waits while the mouse is pressed, does not replace a part that the person is using, and keeps what was typed in other
 * forms. Everything also works without the script. Its words are in the page (`data-unsent`), so that it is the same in
 * every language. It has only the parts that the page uses.
 * @param body HTML of the page
 * @param visible JavaScript for whether the page is visible
 * @param watch JavaScript that calls `see()` when this has changed
 * @param own further JavaScript. If it replaces the page, it puts back what was typed
 */
export function pageScript(body: string, visible: string, watch: string, own = ''): string {
  const sends = hasForm(body);
  const completes = completesByView(body);
  const changes = sends || completes;
  const replaces = own !== '' && canType(body);
  const used = [
    base,
    changes || replaces ? replacing : '',
    changes ? putting(keepsTyped(body), hasBar(body)) : '',
    completes || hasCall(body) ? renewal : '',
    (changes && keepsTyped(body)) || replaces ? typing : '',
    sends ? forms : '',
    hasCall(body) ? calls : '',
    hasBar(body) ? centering : '',
    seen(completes, visible),
    own,
  ];
  return `(()=>{${used.join('')}${watch}})();`.replaceAll(/(?<=[;{])\n/g, '');
}

/** True if the page has a form that the script sends. Only such a page has the words for it. */
export const hasForm = (body: string): boolean => body.includes('class="completion"');

const completesByView = (body: string): boolean => body.includes('data-unseen="completes"');
const hasCall = (body: string): boolean => body.includes('data-completes');
/** True if the steps are in a row that scrolls. */
const hasBar = (body: string): boolean => body.includes('class="bar"');

/** True if the page has fields. */
export const canType = (body: string): boolean => /<(?:textarea|input type="(?!hidden))/.test(body);

/** True if a view, a link or the form of another block can change the page while a person types in it. */
function keepsTyped(body: string): boolean {
  const forms = body.split('class="block').filter(hasForm).length;
  return canType(body) && (forms > 1 || completesByView(body) || hasCall(body));
}

const base = `const find=(at,root=document)=>root.querySelector(at);
const page=()=>find("[data-page]");
const accepted=answer=>{if(answer.ok)return answer;throw answer.status};
const send=(type,id)=>fetch(page().dataset.actions,{method:"POST",keepalive:true,headers:{"content-type":"application/json"},body:JSON.stringify({type,page_id:id})}).then(accepted);
`;

/**
 * What replaces parts of a page. `parsed` parses their new page without its styles, because the policy of this page
 * forbids styles that are not its own. `released` waits for the release of the mouse: browsers follow no link that is
 * replaced between its press and its release.
 */
export const replacing = `const parsed=text=>new DOMParser().parseFromString(text.replace(/<style>[^]*?<\\/style>/,""),"text/html");
const released=async()=>{while(document.querySelector(":active"))await new Promise(done=>setTimeout(done,50))};
`;

/**
 * A renewal (`block` is 0) does not replace a form that is being sent: its response replaces it, or its error is shown in
 * it.
 */
const putting = (keeps: boolean, scrolls: boolean): string => `const address=()=>page().dataset.actions.slice(0,-8);
const put=async(fresh,block,inUse)=>{
await released();
document.title=fresh.title;
for(const part of["header","nav","main"]){const old=find(part),next=find(part,fresh);if(!old||!next||inUse&&old.contains(document.activeElement)||block===0&&find("form.completion button:disabled",old))continue;delete next.dataset.unseen;const top=old.scrollTop;${keeps ? 'const typed=typedIn(old,block);' : ''}old.replaceWith(next);next.scrollTop=top;${keeps ? 'restore(next,typed)' : ''}}
${scrolls ? 'center();\n' : ''}};
const load=async query=>parsed(await accepted(await fetch(address()+query,{signal:AbortSignal.timeout(2e4)})).text());
`;

const renewal = 'const renew=async inUse=>put(await load("?page="+page().dataset.page),0,inUse);\n';

/** Scrolls the row of steps to the current one. */
const centering = `const center=()=>{const at=find("nav [aria-current]"),list=at?.closest("ol");if(list){const[a,b]=[at,list].map(each=>each.getBoundingClientRect());list.scrollLeft+=a.left+a.width/2-b.left-b.width/2}};
center();
`;

/** Keeps what was typed in the forms that were not sent. */
const typing = `const fields=root=>[...root.querySelectorAll("input:not([type=hidden]),textarea")];
const blockOf=field=>field.closest(".block")?.id;
const typedIn=(root,sent)=>fields(root).filter(field=>blockOf(field)!==sent&&(field.checked!==field.defaultChecked||field.value!==field.defaultValue));
const isSame=(one,other)=>one.name===other.name&&blockOf(one)===blockOf(other)&&(!/radio|checkbox/.test(one.type)||one.value===other.value);
const restore=(root,typed)=>{for(const old of typed)for(const field of fields(root))if(isSame(field,old)){field.value=old.value;field.checked=old.checked}};
`;

/**
 * If an answer is missing, the response is the page with a message beside the field. If the service refuses a form for
 * another reason, trying again does not help, so the browser sends the form itself and shows the page with the reason.
 * Errors of the gateway have no `x-request-id`; they would be shown as JSON.
 */
const forms = `const told=block=>(block?find("#"+block+" .outcome"):find(".banner")||find(".told"))||find("main");
const answered=async(block,done)=>{
const query="?after="+page().dataset.page,fresh=await load(query);
if(find(".saved",fresh)){done();return location.assign(address()+query)}
await put(fresh,block);
told(block).focus();
};
addEventListener("submit",event=>{
const form=event.target.closest("form.completion");
if(!form)return;
event.preventDefault();
const button=find("button",form),note=find(".unsent",form),label=button.textContent,reset=()=>{button.disabled=false;button.textContent=label};
button.disabled=true;
button.textContent=page().dataset.sending;
note.textContent="";
fetch(form.getAttribute("action"),{method:"POST",keepalive:true,redirect:"manual",headers:{accept:"text/html"},signal:AbortSignal.timeout(2e4),body:new URLSearchParams(new FormData(form))})
.then(async answer=>{
const block=form.closest(".block")?.id;
if(answer.type==="opaqueredirect")return answered(block,reset).catch(()=>location.reload());
const fresh=answer.status===422&&parsed(await answer.text());
if(fresh&&find(".unanswered",fresh)){await put(fresh,block);return find("main [autofocus]").focus()}
if(/403|404|410|422/.test(answer.status)&&answer.headers.has("x-request-id"))return form.submit();
throw answer.status;
}).catch(status=>{reset();note.textContent=page().dataset[status===413?"long":"unsent"]});
});
`;

/** Links that complete the page. They have a form too, for browsers without the script. */
const calls = `addEventListener("click",event=>{
const link=event.target.closest("[data-completes] a");
if(link)send("page_completed",link.closest("[data-completes]").dataset.completes).then(()=>renew()).then(()=>told().focus()).catch(()=>{});
});
`;

/**
 * A view is reported when the page has been visible for two seconds, or at the first press or key: machines that load
 * pages do neither (contract, section 10).
 * @param completes true if the view completes the page, which then changes
 */
const seen = (completes: boolean, visible: string): string => `const seen=()=>{
const at=page()?.dataset;
if(at?.unseen&&delete at.unseen)send("page_viewed",at.page)${completes ? '.then(()=>renew(true))' : ''}.catch(()=>{});
};
let wait;
const see=()=>{wait=${visible}?wait||setTimeout(seen,2e3):clearTimeout(wait)};
addEventListener("visibilitychange",see);
for(const press of["click","keydown"])addEventListener(press,seen,true);
`;
