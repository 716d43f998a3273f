import { fileTypeOf } from '../../lib/domain/teams/team-file.ts';
import { notFound } from '../../lib/domain/values/problem.ts';
import { getFile } from '../../lib/http/contracts/public.ts';
import { imageReply } from '../../lib/http/images.ts';
import { idParam } from '../../lib/http/params.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { images } from '../../lib/runtime/images.ts';

export const handler = publicEndpoint(getFile, async ({ params }) => {
  const id = idParam(params, 'id');
  const content = await images().read(id);
  const type = content && fileTypeOf(content);
  if (!type) throw notFound();
  return imageReply(id, type, content);
});
