import type { EngagementChannel } from '../../domain/campaigns/channel.ts';
import { isRawNumber, type JsonValue, numberText } from '../../domain/values/json.ts';
import { inOneLine } from '../css/text.ts';

/**
 * A box with the channel's size, limited by the frame. Content that is larger than the box scrolls inside. A card that is
 * alone is not drawn, because the frame is one.
 */
const source = `
html,body{height:100%}body{background:none;overflow:hidden}
h2{font-size:clamp(1.15rem,1rem + .9vw,1.5rem)}
.box{display:flex;flex-direction:column;max-width:100%;max-height:100%;overflow:hidden;color:var(--text)}
main{flex:1 1 auto;min-height:0;overflow:auto;position:relative}
main:focus-visible{outline-offset:-3px;border-radius:0}
.stage{display:grid;grid-template-columns:minmax(0,1fr);min-height:100%}
.inner{display:flow-root;padding:1rem 1.15rem}
[data-fits] .inner{align-self:start}
.grid{gap:.9rem min(1.25rem,5%)}.stack>.block+.block{margin-top:.9rem}
.stack.rows>.block+.block{margin-top:.8rem;padding-top:.8rem;border-top:1px solid var(--line)}
.card{padding:.9rem 1rem}.card h2{font-size:1.08rem}h2+.prose,h2+.lead,h2+section,h2+.document{margin-top:.4rem}
.block:only-child>.card{padding:0;border:0;background:none}
.button,.quiet{min-height:2.75rem;padding:.5rem 1.2rem}
.page-notes{margin-top:.9rem}
.bar{flex:none;display:flex;align-items:center;gap:.35rem;border-top:1px solid var(--line);padding:0 .6rem;font-size:.86rem;line-height:1.3}
.bar ol{flex:1;min-width:0;display:flex;align-items:center;gap:.2rem;list-style:none;margin:0;padding-block:.15rem;padding-inline:.2rem .75rem;overflow-x:auto;scrollbar-width:none;mask-image:linear-gradient(90deg,#000 calc(100% - .75rem),transparent)}
[dir=rtl] .bar ol{mask-image:linear-gradient(-90deg,#000 calc(100% - .75rem),transparent)}
.bar li{flex:none;max-width:max(100%,8rem)}
.bar a{display:inline-flex;align-items:center;min-height:2.75rem;padding:.15rem .75rem;border-radius:1.4rem;text-decoration:none}
.bar a:hover{text-decoration:underline}
.bar [aria-current]{background:var(--primary);color:var(--on-primary);font-weight:600}
.whole{flex:none;margin-inline-start:auto;font-weight:600}
.neutral{display:grid;place-items:center;text-align:center;color:var(--soft)}
`;

export const channelCss = inOneLine(source);

/** The channel's size. A missing or invalid length is the size of the frame. */
export function sizeCss({ properties }: Pick<EngagementChannel, 'properties'>): string {
  return `.box{width:${lengthOf(properties?.width) ?? '100%'};height:${heightOf({ properties }) ?? '100%'}}`;
}

/** The channel's height. Undefined if the content tells the page around the frame how high it is. */
export const heightOf = ({ properties }: Pick<EngagementChannel, 'properties'>) => lengthOf(properties?.height);

/** A length in CSS. A number without a unit is in pixels. */
export function lengthOf(value: JsonValue | null | undefined): string | undefined {
  const isNumber = typeof value === 'number' || isRawNumber(value ?? null);
  const text = isNumber ? `${numberText(value as number)}px` : typeof value === 'string' ? value.trim() : '';
  const plain = /^\d+(?:\.\d+)?$/.test(text) ? `${text}px` : text.toLowerCase();
  return /^(?!0+(?:\.0+)?[a-z%])\d{1,5}(?:\.\d{1,4})?(?:px|%|em|rem|vh|vw)$/.test(plain) ? plain : undefined;
}
