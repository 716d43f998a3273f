import { describe, expect, test } from 'vitest';
import { svgError } from '../../../bin/admin/campaigns/svg.ts';
import { cpuOf } from '../../support/cpu.ts';

const fault = (text: string) => svgError(Buffer.from(text));
const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

describe('an SVG that only draws is kept', () => {
  test.each([
    ['<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- made by hand -->\n', '<path d="M0 0h24v24H0z"/>'],
    [
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n',
      '<path d="M0 0h24v24H0z"/>',
    ],
    ['\ufeff', '<title>Bank (logo)</title><desc>A &lt;logo&gt; &#169;</desc>'],
    ['', '<defs><linearGradient id="g"><stop stop-color="rgb(1 2 3)"/></linearGradient></defs><rect fill="url(#g)"/>'],
    ['', '<g id="a" transform="translate(1,2) rotate(45)"><use href="#a"/><use xlink:href="#a"/></g>'],
    ['', '<style>.a{fill:#123;clip-path:url("#c")}@media (max-width:10px){.a{fill:red}}</style><path class="a"/>'],
    ['', '<style><![CDATA[.a > .b{fill:url(#g)}]]></style>'],
    [
      '',
      '<rect style="fill:var(--x);filter:drop-shadow(0 0 1px rgba(0,0,0,.5))" aria-label="A (b)" data-name="x\\y"/>',
    ],
    ['', '<image href="data:image/png;base64,iVBORw0KGgo="/><image xlink:href="data:image/webp;base64,AAAA"/>'],
    ['', '<style>.a{fill:url( "#gradient" );stroke:url( \'#other-gradient\' );mask:url( #mask )}</style>'],
    ['', '<rect id="a(1)" class="b(1)" lang="en" aria-label="Bank(logo)" data-name="x(1)"/>'],
    ['', '<path data-src="logo.ai" hreflang="en" xlink:title="Bank(logo)"/>'],
    ['', '<use href=" #gradient "/><image href=" data:image/png;base64,iVBO\nRw0K Ggo= "/>'],
    ['', '<i:pgf xmlns:i="http://ns.adobe.com/AdobeIllustrator/10.0/"/>'],
    ['', '<text font-family="Arial" xml:space="preserve"><tspan>Bank</tspan></text>'],
    [
      '',
      '<path xmlns:c="http://www.corel.com/coreldraw/odm/2003" c:file="C:\\logo.cdr" style="margin:max(1px, 2px)"/>',
    ],
    ['', '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><mesh filter="url(#f)"/>'],
    [
      '',
      '<s:namedview xmlns:s="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:i="http://www.inkscape.org/namespaces/inkscape" i:zoom="1"/>',
    ],
  ])('%j %s', (before, content) => {
    expect(fault(before + svg(content))).toBeUndefined();
  });
});

const attacks: [content: string, attributes?: string][] = [
  ['<script>alert(1)</script>'],
  ['<script href="https://evil.example/x.js"/>'],
  ['<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'],
  ['<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>'],
  ['<h:img xmlns:h="http://www.w3.org/1999/xhtml" src="x"/>'],
  ['<script xmlns="">alert(1)</script>'],
  ['<SCRIPT>alert(1)</SCRIPT>'],
  ['<handler xmlns="http://www.w3.org/2001/xml-events">x</handler>'],
  ['', 'onload="alert(1)"'],
  ['<path OnClick="alert(1)"/>'],
  ['<path xlink:onclick="alert(1)"/>'],
  ['<i:x xmlns:i="http://www.inkscape.org/namespaces/inkscape" onload="alert(1)"/>'],
  ['<path xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load"/>'],
  ['<a href="javascript:alert(1)"><text>x</text></a>'],
  ['<a href="https://evil.example"/>'],
  ['<use href="javascript:alert(1)"/>'],
  ['<use href="&#106;avascript:alert(1)"/>'],
  ['<use xlink:href="https://evil.example/x.svg#a"/>'],
  ['<use href="//evil.example/x.svg#a"/>'],
  ['<use href="other.svg#a"/>'],
  ['<use href=""/>'],
  ['<use href="data:image/svg+xml;base64,PHN2Zy8+#a"/>'],
  ['<use href="data:image/png;base64,AAAA"/>'],
  ['<use h:href="https://evil.example" xmlns:h="http://www.w3.org/1999/xlink"/>'],
  ['<image href="https://evil.example/track.png"/>'],
  ['<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'],
  ['<image href="data:text/html,x"/>'],
  ['<image href="data:image/png,raw"/>'],
  ['<image src="https://evil.example/track.png"/>'],
  ['<feImage href="#a"/>'],
  ['<foreignObject><div xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'],
  ['<iframe xmlns="http://www.w3.org/1999/xhtml" src="x"/>'],
  ['<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:alert(1)"/>'],
  ['<set attributeName="href" to="javascript:alert(1)"/>'],
  ['<animate attributeName="href" values="javascript:alert(1)"/>'],
  ['<discard/>'],
  ['<font-face-uri href="#a"/>'],
  ['<style>@import "https://evil.example/x.css";</style>'],
  ['<style>@IMPORT url(https://evil.example/x.css);</style>'],
  ['<style>@font-face{font-family:x;src:url(#a)}</style>'],
  ['<style>.a{background:url(https://evil.example/x)}</style>'],
  ['<style>.a{background:url( "https://evil.example/x" )}</style>'],
  ['<style>.a{background:u\\72l(https://evil.example/x)}</style>'],
  ['<style>.a{background:u<!-- -->rl(https://evil.example/x)}</style>'],
  ['<style>.a{background:<![CDATA[url(]]>https://evil.example/x)}</style>'],
  ['<style>.a{background:u<g/>rl(https://evil.example/x)}</style>'],
  ['<style>.a{background:image-set("https://evil.example/x" 1x)}</style>'],
  ['<style>.a{width:expression(alert(1))}</style>'],
  ['<style>.a{-moz-binding:none}</style>'],
  ['<style>.a{background:url(data:image/png;base64,AAAA)}</style>'],
  ['<rect style="background:URL(//evil.example/x)"/>'],
  ['<rect fill="url(https://evil.example/x#a)"/>'],
  ['<rect filter="url(&quot;https://evil.example/x#a&quot;)"/>'],
  ['<rect fill="url(#a) url(x)"/>'],
  ['<style>.a{fill:url(//evil.example/x)}.b{fill:url(#b)}</style>'],
  ['<rect style="x:javascript:y"/>'],
  ['<rect style="x:vbscript :y"/>'],
  ['<rect style="behavior:none"/>'],
  ['<rect style="behavior :none"/>'],
  ['<path grid="expression(1)"/>'],
  ['<path identity="expression(1)"/>'],
  ['<i:image xmlns:i="http://www.inkscape.org/namespaces/inkscape" href="data:image/png;base64,AAAA"/>'],
  ['', 'xml:base="https://evil.example/"'],
  ['<?xml-stylesheet href="https://evil.example/x.css"?>'],
  ['<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="x"/>'],
  ['&xxe;'],
  ['<path>'],
  ['<path a=1/>'],
  ['<path/><'],
];

describe('an SVG that does more than draw is refused', () => {
  test.each(attacks)('%s %s', (content, attributes = '') => {
    expect(fault(svg(content, attributes))).toEqual(expect.stringMatching(/^(has|is|must) /));
  });

  test.each([
    ['an entity', `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg('&a;')}`],
    ['nested entities', `<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${svg('&b;')}`],
    ['a style sheet before it', `<?xml-stylesheet href="x.css"?>${svg('')}`],
    ['another encoding', `<?xml version="1.0" encoding="UTF-7"?>${svg('')}`],
    ['XML 1.1', `<?xml version="1.1"?>${svg('')}`],
    ['a page', '<!doctype html><html><script>alert(1)</script></html>'],
    ['a page in XML', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['no namespace', '<svg/>'],
    ['another namespace', '<svg xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['two roots', svg('') + svg('')],
    ['text behind it', `${svg('')}<script>alert(1)</script>`],
    ['no end', '<svg xmlns="http://www.w3.org/2000/svg">'],
    ['nothing', ''],
  ])('%s', (_, text) => {
    expect(fault(text)).toEqual(expect.stringMatching(/^(has|is|must) /));
  });

  test.each([
    ['<g xmlns="http://www.w3.org/2000/svg"/>', 'must be an svg element of the namespace http://www.w3.org/2000/svg'],
    [
      '<svg xmlns="http://www.inkscape.org/namespaces/inkscape"/>',
      'must be an svg element of the namespace http://www.w3.org/2000/svg',
    ],
    [svg('<style>.a{content:"\\201c"}</style>'), 'has \\ in a style element'],
    [svg('<style>.a{x:javascript:y}</style>'), 'has javascript: in a style element'],
    [svg('<style>.a{-moz-binding:none}</style>'), 'has -moz-binding in a style element'],
    [svg('<style>.a{}@Import "x";</style>'), 'has @Import in a style element'],
    [svg('<rect fill="image-set(1)"/>'), 'has image-set( in the attribute fill at an element rect'],
    [svg('<script/>'), 'has the element script'],
  ])('%s: %s', (text, reason) => {
    expect(fault(text)).toBe(reason);
  });

  test('bytes that are not UTF-8', () => {
    expect(svgError(Buffer.from(svg('é'), 'latin1'))).toBe('is not UTF-8');
  });

  test.each([
    ['nested elements', svg('<g>'.repeat(250_000))],
    ['names without an end', svg(`<style>${'u'.repeat(2_000_000)}(</style><script/>`)],
    ['references without an end', svg(`<style>${'url(#'.repeat(400_000)}</style>`)],
    ['an attribute of spaces', svg(`<use href="#a${' '.repeat(2_000_000)}b"/>`)],
    ['a picture of spaces', svg(`<image href="data:image/png;base64,${' '.repeat(2_000_000)}!"/>`)],
  ])('soon, where it has 2 MB of %s', async (_, text) => {
    const took = await cpuOf(() => expect(fault(text)).toEqual(expect.stringMatching(/^has /)));
    expect(took).toBeLessThan(2000);
  });
});
