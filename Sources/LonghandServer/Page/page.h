#pragma once

/// A file of the page.
struct page_file {
  const char *_Nonnull name;
  const unsigned char *_Nonnull text;
};

/// The number of files in this folder.
extern const int page_file_count;

struct page_file page_file(int index);
