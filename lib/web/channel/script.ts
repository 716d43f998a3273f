import { pageScript } from '../page-script.ts';

/**
 * Tells the page around the frame how high the content is, if the channel sets no height. The message has no data of the
 * person, so every page may read it.
 */
const fit = `const box=document.querySelector("[data-fits]"),tell=()=>{const bar=box.querySelector(".bar"),height=Math.ceil(box.querySelector(".inner").getBoundingClientRect().height+(bar?bar.getBoundingClientRect().height:0));if(height!==tell.last)parent.postMessage({type:"content-height",height:tell.last=height},"*")};
if(box&&parent!==window){const watch=new ResizeObserver(tell);const begin=()=>{watch.disconnect();watch.observe(box.querySelector(".inner"));tell()};new MutationObserver(begin).observe(box,{childList:true});begin()}`;

/** For content without actions: only the height. */
export const fitScript = `(()=>{${fit}})();`;

/**
 * Content in a frame is visible when a quarter of it is, or of the screen if it is higher than that, because the frame
 * may be far down the page.
 */
export const channelScript = (body: string): string =>
  pageScript(
    body,
    'part&&!document.hidden',
    `let part;
if(page())new IntersectionObserver(entries=>{const{intersectionRatio,boundingClientRect}=entries.at(-1);part=intersectionRatio>=Math.min(.25,.25*screen.height/boundingClientRect.height);see()},{threshold:Array.from({length:101},(_,at)=>at/400)}).observe(page());${fit}`,
  );
