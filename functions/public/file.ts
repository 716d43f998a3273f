import { fileTypeOf } from '../../lib/domain/teams/team-file.ts';
import { notFound } from '../../lib/domain/values/problem.ts';
import { contract } from '../../lib/http/contract.ts';
import { imageReply } from '../../lib/http/images.ts';
import { idParam } from '../../lib/http/params.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { images } from '../../lib/runtime/images.ts';

const getFile = contract<typeof responses>()({
  id: 'get-file',
  tag: 'Public documents',
  ofOwnPages: true,
  conditional: 'reads',
  summary: 'An image or font of a team',
  description:
    'An image, or a font (WOFF2), that an administrator stored for the pages of a team. Anyone who has its id can read it. Other content ' +
    'has another id.',
});

const responses = () =>
  ({
    200: {
      description: 'The image',
      mediaType: 'image/*',
      headers: {
        'cache-control': 'The image never changes: `public, max-age=31536000, immutable`',
        'content-security-policy': 'An SVG that is opened by itself can run and load nothing',
        'cross-origin-resource-policy': 'Every site can show the image: `cross-origin`',
      },
    },
  }) as const;

export const contracts = () => [{ ...getFile, responses: responses() }];

export const handler = publicEndpoint(getFile, async ({ params }) => {
  const id = idParam(params, 'id');
  const content = await images().read(id);
  const type = content && fileTypeOf(content);
  if (!type) throw notFound();
  return imageReply(id, type, content);
});
