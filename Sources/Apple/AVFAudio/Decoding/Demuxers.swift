/// FFmpeg's demuxers that may open a file.
///
/// A list of what is allowed, not of what is forbidden: formats that open other files or addresses (hls, concat,
/// dash, imf, sdp, image sequences), devices, raw samples without a header and synthesizers that may never end
/// (module music, game music) are refused before they see a byte.
enum Demuxers {
  static let allowed = [
    // Sound files.
    "3dostr", "aac", "ac3", "act", "aiff", "amr", "amrnb", "amrwb", "ape", "au", "avr", "caf", "codec2",
    "dsf",
    "dts", "dtshd", "eac3", "flac", "gsm", "ilbc", "ircam", "iss", "loas", "mlp", "mp3", "mpc", "mpc8",
    "nistsphere",
    "oma", "ogg", "paf", "pvf", "qcp", "rso", "sbc", "sds", "sln", "smjpeg", "sol", "sox", "spdif", "sup",
    "svs", "tak",
    "truehd", "tta", "voc", "w64", "wav", "wsd", "wv", "wve", "xwma",
    // Containers of sound and pictures.
    "asf", "asf_o", "avi", "dhav", "dv", "ea", "flv", "gxf", "iff", "ifv", "ivf", "live_flv", "lxf",
    "matroska,webm", "mmf", "mov,mp4,m4a,3gp,3g2,mj2", "mpeg", "mpegts", "mtv", "mxf", "nsv", "nut", "nuv",
    "r3d",
    "rm", "roq", "smk", "swf", "thp", "ty", "vivo", "wc3movie", "wtv", "xmv", "yop",
    // Pictures and subtitles hold no sound: they open, and the error says so instead of "unknown format".
    "ass", "gif", "h264", "hevc", "image2pipe", "jpeg_pipe", "m4v", "png_pipe", "srt", "webp_pipe", "webvtt",
  ].joined(separator: ",")
}
