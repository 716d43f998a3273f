import type { SettingForm } from '../../lib/domain/content/shape.ts';
import { isJsonObject, type JsonValue } from '../../lib/domain/json.ts';
import { scaleOf } from '../../lib/domain/survey.ts';
import { isClassName } from '../../lib/web/blocks/blocks.ts';
import { colorOf } from '../../lib/web/css/color.ts';
import { isBaseSize, isFontName, isRadius } from '../../lib/web/css/theme.ts';
import { isImageData } from '../../lib/web/links.ts';

/** For each form of setting: whether a page can read the value, and what to write instead. */
export const settings: Readonly<Record<SettingForm, { reads(value: JsonValue): boolean; message: string }>> = {
  color: {
    reads: (value) => colorOf(value) !== undefined,
    message: 'is not a color that a page can read: write #rrggbb, #rgb or rgb(r, g, b)',
  },
  dark: {
    reads: (value) => typeof value === 'boolean' || isJsonObject(value),
    message: 'has no effect: write an object with colors, true for dark colors, or false for none',
  },
  font: {
    reads: isFontName,
    message:
      'is not the name of a font: write letters, digits, spaces, commas and hyphens, and no keyword such as `inherit`',
  },
  size: { reads: isBaseSize, message: 'has no effect: write a text from "14px" to "22px", such as "18px"' },
  radius: { reads: isRadius, message: 'has no effect: write a text from "0px" to "99px", such as "8px"' },
  count: {
    reads: (value) => Number.isInteger(value) && Number(value) > 0,
    message: 'has no effect: write a whole number from 1',
  },
  kind: {
    reads: (value) => value === 'number' || value === 'date',
    message: 'has no effect: write number or date, or delete the field, so that the person types a text',
  },
  scale: {
    reads: (value) => scaleOf(value) !== undefined,
    message:
      'is not a scale: write the lowest and the highest number, with at most 11 steps, such as [1, 5]. The scale is not shown',
  },
  classes: {
    reads: (value) => typeof value === 'string' && value.trim().split(/\s+/).every(isClassName),
    message:
      'has a name that cannot be a class and is left out: write letters, digits, - and _, beginning with a letter, with spaces between several names',
  },
  phone: {
    reads: (value) => typeof value === 'string' && isPhoneNumber(value),
    message:
      'is not a phone number, so its link calls nobody: write one number in digits without letters, such as "+1 555 010 0199"',
  },
  email: {
    reads: (value) => typeof value === 'string' && isAddressAlone(value.trim()),
    message:
      'is not an email address, so its link does not work: write the address alone, such as "help@bank.example", without a name and without `mailto:`',
  },
  image: {
    reads: (value) => typeof value === 'string' && isImageData(value),
    message:
      'is not an image that a page can show: pages load no images from other sites. Store the image with `file put` and write its id into `file_id`',
  },
};

/** At most 15 digits (E.164), which two numbers exceed. */
function isPhoneNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return digits >= 3 && digits <= 15 && !/[\p{L},;|\n]|\+.*\+/u.test(text);
}

const isAddressAlone = (text: string): boolean =>
  /^[^\s@:,;<>"()]+@[^\s@:,;<>"().]+(?:\.[^\s@:,;<>"().]+)+$/.test(text);
