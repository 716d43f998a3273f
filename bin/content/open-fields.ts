import type { Field, Fields, ObjectShape, SettingForm, Shape } from '../../lib/domain/campaigns/shape.ts';

/** What pages read of the fields of templates and pages for which the specification allows any JSON. */

const text = (description: string): Field => ({ shape: { is: 'text' }, description });
const prose = (description: string): Field => ({ shape: { is: 'text', marks: true }, description });
const setting = (form: SettingForm, description: string): Field => ({ shape: { is: 'setting', form }, description });
const color = (description: string) => setting('color', `${description}: #rrggbb, #rgb or rgb(r, g, b)`);
const objectOf = (of: ObjectShape, description: string): Field => ({ shape: { is: 'object', of }, description });
const verb = 'has no effect';

export const colors: Fields = {
  primary: color('Color of buttons and links'),
  secondary: color('Color of lines and marks'),
  background: color('Color behind the page'),
  surface: color('Color of the page and of cards'),
  text: color('Color of texts'),
};

export const palette: ObjectShape = {
  named: 'a palette',
  verb,
  fields: {
    ...colors,
    dark: {
      shape: {
        is: 'either',
        text: { is: 'setting', form: 'dark' },
        object: { named: 'a dark palette', verb, fields: colors },
      },
      description:
        'Colors for devices that ask for dark colors, by the same names; `false` for none, `true` for those that follow from the others',
    },
  },
};

export const typography: ObjectShape = {
  named: 'typography',
  verb,
  fields: {
    heading: setting('font', 'Name of the font of headings, shown if there is no file or it has not loaded'),
    body: setting('font', 'Name of the font of texts, shown if there is no file or it has not loaded'),
    heading_file_id: { shape: { is: 'file', type: 'font' }, description: 'Id of the font file of headings (WOFF2)' },
    body_file_id: { shape: { is: 'file', type: 'font' }, description: 'Id of the font file of texts (WOFF2)' },
    base_size: setting('size', 'Size of texts, from "14px" to "22px"'),
  },
};

export const theme: ObjectShape = {
  named: 'a theme',
  verb,
  fields: {
    palette: objectOf(palette, 'Colors'),
    typography: objectOf(typography, 'Fonts and their size'),
    button_radius: setting('radius', 'Radius of the corners of buttons, from "0px" to "99px"'),
    logo_dark_file_id: { shape: { is: 'file', type: 'image' }, description: 'Id of the logo in dark colors' },
    icon_file_id: { shape: { is: 'file', type: 'image' }, description: 'Id of the icon of the browser tab' },
  },
};

const link = (named: string): ObjectShape => ({
  named,
  fields: {
    text: { ...text('Text of the link'), needs: ['url'] },
    url: { shape: { is: 'url' }, description: 'URL that the link opens' },
  },
});

export const footer: Shape = {
  is: 'either',
  text: { is: 'text', marks: true },
  object: {
    named: 'a footer',
    fields: {
      text: prose('Text of the footer'),
      links: { shape: { is: 'list', of: { is: 'object', of: link('a link') } }, description: 'Links of the footer' },
    },
  },
};

/** The placeholders of these texts are not filled in. */
export const support: ObjectShape = {
  named: 'the contact of the institution',
  fields: {
    name: text('Name of the institution in the heading. By default the name of the team'),
    text: prose('When and how the institution can be reached'),
    phone: { shape: { is: 'text', form: 'phone' }, description: 'Phone number' },
    email: { shape: { is: 'text', form: 'email' }, description: 'Email address' },
    url: { shape: { is: 'url' }, description: 'URL of a page with help' },
  },
};

/** The call to action of the ending. */
export const endingCall: ObjectShape = {
  named: 'a call to action',
  fields: {
    text: { ...text('Text of the button'), needs: ['url'] },
    url: { shape: { is: 'url' }, description: 'URL that the button opens', needs: ['text'] },
  },
};

/** The call to action of a page. Whether it is shown without a URL depends on the condition of the page. */
export const pageCall: Shape = {
  is: 'either',
  text: { is: 'text' },
  object: {
    named: 'a call to action',
    fields: {
      text: text('Text of the button'),
      url: { shape: { is: 'url' }, description: 'URL that the button opens', needs: ['text'] },
    },
  },
};
