import type { IFileSystem } from "just-bash";

/** One entry of a disk. Bytes, not text: a program's output need not be UTF-8. */
type Entry =
  | { readonly type: "file"; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly type: "directory"; readonly mode: number }
  | { readonly type: "symlink"; readonly target: string };

/** What stands on a disk, by absolute path, parents before children. */
export type DiskImage = ReadonlyMap<string, Entry>;

/** A text file or the bytes of one, as an entry. */
export function fileEntry(content: string | Uint8Array): Entry {
  return {
    type: "file",
    bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
    mode: 0o644,
  };
}

export function directoryEntry(): Entry {
  return { type: "directory", mode: 0o755 };
}

/** Every regular file of an image as text, sorted by path. */
export function textFiles(image: DiskImage): Record<string, string> {
  const files: [string, string][] = [];
  for (const [path, entry] of image) {
    if (entry.type === "file") files.push([path, new TextDecoder().decode(entry.bytes)]);
  }
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reads all that stands on a disk beside what its system put there. */
export async function readDisk(fs: IFileSystem, system: ReadonlySet<string>): Promise<DiskImage> {
  const image = new Map<string, Entry>();
  for (const path of fs.getAllPaths().sort()) {
    if (system.has(path)) continue;
    const { isSymbolicLink, isDirectory, mode } = await fs.lstat(path);
    if (isSymbolicLink) image.set(path, { type: "symlink", target: await fs.readlink(path) });
    else if (isDirectory) image.set(path, { type: "directory", mode });
    else image.set(path, { type: "file", bytes: await fs.readFileBuffer(path), mode });
  }
  return image;
}

/** Writes an image onto a disk. */
export async function writeDisk(fs: IFileSystem, image: DiskImage): Promise<void> {
  for (const [path, entry] of image) {
    if (entry.type === "symlink") {
      await fs.symlink(entry.target, path);
      continue;
    }
    if (entry.type === "directory") await fs.mkdir(path, { recursive: true });
    else await fs.writeFile(path, entry.bytes);
    await fs.chmod(path, entry.mode);
  }
}
