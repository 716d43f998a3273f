import type { Template } from '../../domain/content/template.ts';
import { themeCss } from '../css/theme.ts';

export const theme = ({ theme_base, theme: own, theme_overrides, styles }: Template): string =>
  themeCss([theme_base, own, theme_overrides, styles, styles?.overrides]);
