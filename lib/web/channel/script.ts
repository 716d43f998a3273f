import { pageScript } from '../page-script.ts';

/** Content in a frame counts as viewed when a quarter of it is visible, because the frame may be far down the page. */
export const channelScript = pageScript(
  `if(page())new IntersectionObserver(([{isIntersecting}])=>{if(isIntersecting)seen()},{threshold:.25}).observe(page());`,
);
