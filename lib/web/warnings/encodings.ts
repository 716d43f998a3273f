/**
 * Texts in UTF-8 that a program read as another encoding, so that each letter became two or three characters: as
 * windows-1252 (`Ã¤` for `ä`, `Å¾` for `ž`) or as windows-1250, which is common in Central Europe (`Ăˇ` for `á`). The
 * first character is a letter too, so the second must be a sign that no text has after it.
 */
const sign = '[\\u0080-\\u009f¡-¬®¯±´¶-¸¼-¾\\u00ad€‚ƒ„†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ]';
const sign1250 = '[\\u0080-\\u009f¤¦§¨©«¬®±´µ¶·¸\\u00adˇ˘˛˝™ľĽłŁ]';
/** Signs that can also follow a word. Then no small letter is after them. */
const mark = '[…“”‘’–—°»¹º¿](?=\\p{Ll})';
/** Of letters of other scripts, two in a row. */
const foreign = '[\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]';

export const brokenCharacters = new RegExp(
  [
    '\\ufffd',
    'Ã[\\u0080-\\u00bf]',
    'Â[\\u00a0-\\u00bf]',
    'â€[\\u0080-\\u00ff\\u0150-\\u02ff\\u2010-\\u2122]?',
    `[ÃÄÅ](?:${sign}|${mark})`,
    `[ĂĹ](?:${sign1250}|${mark})`,
    'Ä[ŤŹ]|Ă[„‰ź]|â‚¬',
    `(?:[ÐÑ]${foreign}){2,}`,
    '(?:[ĐŃ][\\u0080-\\u00bfżľŻ˛€‚…]){2,}',
    `(?:[ØÙ]${foreign}){2,}`,
    `(?:[ÎÏ×]${foreign}){2,}`,
    'ðŸ|ď»ż|ï»¿',
  ].join('|'),
  'u',
);
