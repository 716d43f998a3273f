/** A file cannot be read, or cannot be read further. The message is for the sender of the file. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}
