// On Apple platforms Foundation and Dispatch bring these along; on Linux only the C library of Dispatch has them. They
// are passed on, not declared anew, so that they are not ambiguous to clients that import that library.
@_exported import let CDispatch.NSEC_PER_MSEC
@_exported import let CDispatch.NSEC_PER_SEC
@_exported import let CDispatch.NSEC_PER_USEC
@_exported import let CDispatch.USEC_PER_SEC
