import type { GivenDocument } from '../../lib/domain/content/document.ts';
import { isJsonObject, type JsonValue } from '../../lib/domain/json.ts';
import { type ErrorDetail, pointer } from '../../lib/domain/problem.ts';
import { pathOfNamedFile, type TeamFile } from '../../lib/domain/team-file.ts';

/** The ids of files that pages of the document show, each with its JSON Pointer. */
type ShownFile = { fileId: string; path: string; use: 'image' | 'font' };

const uses: Readonly<Record<string, ShownFile['use']>> = {
  logo_file_id: 'image',
  icon_file_id: 'image',
  logo_dark_file_id: 'image',
  dark_file_id: 'image',
  file_id: 'image',
  image: 'image',
  heading_file_id: 'font',
  body_file_id: 'font',
};

/** Messages are not included, because no page shows them. */
export const filesShownBy = ({ templates, engagement_channels }: GivenDocument): ShownFile[] =>
  filesIn({ engagement_channels, templates } as unknown as JsonValue, '').filter(
    ({ path }) => !path.includes('/template_messages/'),
  );

function filesIn(value: JsonValue, path: string): ShownFile[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => filesIn(each, `${path}/${index}`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path + pointer([name]);
    const use = uses[name];
    return use !== undefined && typeof member === 'string' ? [{ fileId: member, path: at, use }] : filesIn(member, at);
  });
}

/**
 * A warning for each logo, image and font that is not a file of the team, or a file of another kind. Values that cannot
 * be the id of a file have a warning of their own. @param files all files of the team
 */
export function fileWarnings(
  shown: readonly ShownFile[],
  files: readonly Pick<TeamFile, 'file_id' | 'type'>[],
): ErrorDetail[] {
  const types = new Map(files.map(({ file_id, type }) => [file_id, type]));
  return shown.flatMap(({ fileId, path, use }) => {
    if (pathOfNamedFile(fileId) === undefined) return [];
    const type = types.get(fileId.toLowerCase());
    if (type === undefined) {
      const message =
        'is not the id of a file of the team: store the file with `file put`, and write the id that the command prints';
      return [{ path, message }];
    }
    const isUsable = type.startsWith('font/') === (use === 'font');
    const message = `names a file of the type ${type}: it must be ${use === 'font' ? 'a font (WOFF2)' : 'an image'}`;
    return isUsable ? [] : [{ path, message }];
  });
}
