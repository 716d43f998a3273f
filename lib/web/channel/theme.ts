import type { EngagementChannel } from '../../domain/content/channel.ts';
import type { Template } from '../../domain/content/template.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { type ThemeSource, themeCss } from '../css/theme.ts';
import { namesColours, sourcesOf } from '../journey/theme.ts';

type Channel = Pick<EngagementChannel, 'theme_styles'>;

/**
 * The theme of the campaign, and above it that of the channel. A palette of the channel replaces that of the campaign as a
 * whole, because colours of both together would be nobody's look. So do its fonts.
 * @param template `undefined` for default content, which belongs to no campaign
 */
export function channelTheme({ theme_styles: own }: Channel, template: Template | undefined): string {
  const sources = [own, own?.overrides];
  const taken = [...(setsColours(own) ? ['palette'] : []), ...parts.filter((name) => sources.some(has(name)))];
  const campaign = template ? sourcesOf(template).map((source) => without(source, taken)) : [];
  return themeCss([...campaign, ...sources]);
}

const parts = ['palette', 'typography'] as const;

const has =
  (name: string) =>
  (source: ThemeSource): boolean =>
    isJsonObject(source) && isJsonObject(source[name]) && Object.keys(source[name]).length > 0;

/** Colours in the channel's own styles were chosen for the palette of the service. */
function setsColours(own: Channel['theme_styles']): boolean {
  const { palette, typography, ...overrides } = own?.overrides ?? {};
  return namesColours(JSON.stringify([own?.custom ?? null, overrides]));
}

const without = (source: ThemeSource, names: readonly string[]): JsonObject =>
  isJsonObject(source) ? Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name))) : {};
