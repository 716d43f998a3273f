/** Why a file as a whole is not read, or not read on, in words for whoever sent it. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}
