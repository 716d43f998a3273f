import type { EngagementChannel } from '../../domain/campaigns/channel.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import { isJsonObject, type JsonObject } from '../../domain/values/json.ts';
import { type ThemeSource, themeCss } from '../css/theme.ts';
import { namesColors, sourcesOf } from '../journey/theme.ts';

type Channel = Pick<EngagementChannel, 'theme_styles'>;

/**
 * The theme of the campaign, and above it that of the channel. A palette of the channel replaces that of the campaign as a
 * whole, because colors of both together would be nobody's look. So do its fonts. The content has no background, unless
 * the palette of the channel names one.
 *
 * It is dark on devices that ask for it if the palette of the channel says so with `dark`: browsers do not tell content
 * in a frame whether the page around it is dark, and most are not.
 * @param template `undefined` for default content, which belongs to no campaign
 */
export function channelTheme({ theme_styles: own }: Channel, template: Template | undefined): string {
  const sources = [own, own?.overrides];
  const dark = sources.map((source) => paletteOf(source).dark).findLast((value) => value !== undefined);
  const taken = [...(setsColors(own) ? ['palette'] : []), ...parts.filter((name) => sources.some(has(name)))];
  const campaign = template ? sourcesOf(template).map((source) => without(source, taken)) : [];
  const isOpaque = sources.some((source) => paletteOf(source).surface !== undefined);
  const theme = themeCss([...campaign, ...sources.map(withColors)], { dark: dark === true || isJsonObject(dark) });
  return theme + (isOpaque ? '.box{background:var(--surface)}' : '');
}

const paletteOf = (source: ThemeSource): JsonObject =>
  isJsonObject(source) && isJsonObject(source.palette) ? source.palette : {};

/** `true` has no colors, and must not replace those of the campaign. */
const withColors = (source: ThemeSource): ThemeSource =>
  paletteOf(source).dark === true
    ? { ...(source as JsonObject), palette: without(paletteOf(source), ['dark']) }
    : source;

const parts = ['palette', 'typography'] as const;

const has =
  (name: string) =>
  (source: ThemeSource): boolean =>
    isJsonObject(source) && isJsonObject(source[name]) && Object.keys(source[name]).some((each) => each !== 'dark');

/** Colors in the channel's own styles were chosen for the palette of the service. */
function setsColors(own: Channel['theme_styles']): boolean {
  const { palette, typography, ...overrides } = own?.overrides ?? {};
  return namesColors(JSON.stringify([own?.custom ?? null, overrides]));
}

const without = (source: ThemeSource, names: readonly string[]): JsonObject =>
  isJsonObject(source) ? Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name))) : {};
