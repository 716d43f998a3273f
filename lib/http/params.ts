import { notFound } from '../domain/problem.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isId = (text: string): boolean => uuid.test(text.toLowerCase());

/** A system id from the path. @throws Problem `not_found` when it cannot be one. */
export function idParam(params: Record<string, string>, name: string): string {
  const id = params[name]?.toLowerCase() ?? '';
  if (!isId(id)) throw notFound();
  return id;
}
