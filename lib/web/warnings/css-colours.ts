/** The words that are colors in CSS (CSS Color 4), without those of the system. */
export const colourNames: ReadonlySet<string> = new Set(
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
  cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
  darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
  darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
  firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
  hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
  lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
  lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
  mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
  midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
  palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
  rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue
  slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke
  yellow yellowgreen`.split(/\s+/),
);

/** Words that a color can be instead: keywords of all properties and colors of the system. */
const others: ReadonlySet<string> = new Set(
  `transparent currentcolor inherit initial unset revert revert-layer auto none accentcolor accentcolortext activetext
  buttonborder buttonface buttontext canvas canvastext field fieldtext graytext highlight highlighttext linktext mark
  marktext selecteditem selecteditemtext visitedtext`.split(/\s+/),
);

/** True for a word that a browser can read as the value of a color. */
export const isColourWord = (word: string): boolean =>
  colourNames.has(word.toLowerCase()) || others.has(word.toLowerCase());

/** The words whose contrast is computed, as `#rrggbb`. */
export const basicColours: Readonly<Record<string, string>> = {
  ...{ white: '#ffffff', black: '#000000', red: '#ff0000', green: '#008000', blue: '#0000ff', yellow: '#ffff00' },
  ...{ navy: '#000080', gray: '#808080', grey: '#808080', silver: '#c0c0c0', orange: '#ffa500', gold: '#ffd700' },
  ...{ purple: '#800080', teal: '#008080', maroon: '#800000', lightgray: '#d3d3d3', whitesmoke: '#f5f5f5' },
  ...{ darkblue: '#00008b', darkgreen: '#006400', lightblue: '#add8e6', lightyellow: '#ffffe0', pink: '#ffc0cb' },
};
