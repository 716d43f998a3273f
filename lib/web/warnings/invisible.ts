/** Characters that nobody sees, such as those that come with a text that is copied from another program. */
export const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;

/** The text without them. */
export const withoutInvisible = (text: string): string => text.replaceAll(new RegExp(invisible, 'g'), '');

/** Texts that people cannot tell apart are the same in this form. */
export const comparable = (text: string): string => withoutInvisible(text).replaceAll(/\s+/g, ' ').trim().toLowerCase();
